/// Builds an SVG file.
package struct SVG {
  private var lines: [String]

  package init(width: Double, height: Double, title: String) {
    let (width, height) = (width.brief, height.brief)
    lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)""#
        + #" viewBox="0 0 \#(width) \#(height)">"#,
      "<title>\(Self.escaped(title))</title>",
    ]
  }

  package var document: String { (lines + ["</svg>", ""]).joined(separator: "\n") }

  package mutating func add(_ element: String) {
    lines.append(element)
  }

  package mutating func add(
    text: String, x: Double, y: Double, class style: String, anchor: String = "start"
  ) {
    let attributes = Self.attributes([
      "class": style, "text-anchor": anchor, "x": x.brief, "y": y.brief,
    ])
    lines.append("<text\(attributes)>\(Self.escaped(text))</text>")
  }

  /// An element without content.
  package static func tag(_ name: String, _ attributes: [String: String]) -> String {
    "<\(name)\(Self.attributes(attributes))/>"
  }

  private static func attributes(_ attributes: [String: String]) -> String {
    attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
  }

  /// Escapes text for use inside an element or between quotes.
  package static func escaped(_ text: String) -> String {
    text.replacingScalars(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
  }
}

extension Double {
  /// The number with at most one decimal, and none if that is zero.
  package var brief: String {
    let tenths = Int((self * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
