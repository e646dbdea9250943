package import Foundation
import KinshipTesting

#if canImport(FoundationXML)
  package import FoundationXML
#endif

/// The boxes, lines and texts of a chart, as a renderer of the file sees them.
package final class DrawnChart: NSObject, XMLParserDelegate {
  package struct Box {
    package let left, top, right, bottom: Double
  }

  package private(set) var boxes: [Box] = []
  package private(set) var names: [(text: String, x: Double)] = []
  /// The classes of the paths.
  package private(set) var lines: [String] = []
  private var name: (text: String, x: Double)?

  /// Reads the file.
  ///
  /// - Throws: `Mismatch` if it is not well-formed, or refers to another file.
  package init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    try verify(parser.parse(), "no XML: \(String(describing: parser.parserError))")
    try verify(
      svg.matches(of: #/(https?:|url\()[^")]*/#).allSatisfy {
        ["http://www.w3.org/2000/svg", "url(#tip"].contains(String($0.output.0))
      }, "it leads to another file")
  }

  /// Checks that no box overlaps another, and that each has its name inside.
  package func verifyBoxes(_ width: (String) -> Double) throws {
    try verifyEqual(names.count, boxes.count, "names")
    for (index, box) in boxes.enumerated() {
      for other in boxes[(index + 1)...] {
        try verify(
          box.right < other.left || other.right < box.left || box.bottom < other.top
            || other.bottom < box.top, "\(box) and \(other) overlap")
      }
      let name = names[index]
      try verify(
        name.x > box.left && name.x + width(name.text) < box.right, "\(name) leaves its box")
    }
  }

  package func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    func number(_ key: String) -> Double { attributes[key].flatMap(Double.init) ?? .nan }
    let style = attributes["class"] ?? ""
    if element == "rect", style.hasPrefix("box") {
      let (x, y) = (number("x"), number("y"))
      boxes.append(Box(left: x, top: y, right: x + number("width"), bottom: y + number("height")))
    }
    if element == "path" { lines.append(style) }
    if element == "text", style == "name" { name = ("", number("x")) }
  }

  package func parser(_ parser: XMLParser, foundCharacters text: String) { name?.text += text }

  package func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    if element == "text", let name { names.append(name) }
    if element == "text" { name = nil }
  }
}
