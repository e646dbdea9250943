// Checks that what the pages of compiled documentation refer to is in it: pages, headings, images
// and code.
//
//     archive DIRECTORY...
import Foundation

struct Archive {
  let root: URL
  /// By path, what each page says.
  private let pages: [String: [String: Any]]
  /// By path, the anchors of each page.
  private let anchors: [String: Set<String>]

  init(_ root: URL) throws {
    self.root = root
    var pages: [String: [String: Any]] = [:]
    let data = root.appending(path: "data").path(percentEncoded: false)
    for path in try FileManager.default.subpathsOfDirectory(atPath: data)
    where path.hasSuffix(".json") {
      let url = root.appending(path: "data/\(path)")
      pages["/\(path.dropLast(5))"] = try Self.object(at: url)
    }
    self.pages = pages
    anchors = pages.mapValues { page in
      Set(Self.objects(in: page).compactMap { $0["anchor"] as? String })
    }
  }

  var count: Int { pages.count }

  /// The links to pages that do not exist.
  func faults() throws -> [String] {
    var faults: [String] = []
    for (path, page) in pages {
      let references = page["references"] as? [String: [String: Any]] ?? [:]
      for (name, reference) in references {
        if let fault = fault(of: reference) { faults.append("\(path): \(name) \(fault)") }
      }
      for name in Self.named(in: page) where references[name] == nil {
        faults.append("\(path): \(name) is not among the references")
      }
    }
    let index = try Self.object(at: root.appending(path: "index/index.json"))
    for case let path as String in Self.objects(in: index).compactMap({ $0["path"] })
    where pages[path.lowercased()] == nil {
      faults.append("index: \(path) is no page")
    }
    return faults.sorted()
  }

  private func fault(of reference: [String: Any]) -> String? {
    for variant in reference["variants"] as? [[String: Any]] ?? [] {
      guard let path = variant["url"] as? String else { continue }
      let file = root.appending(path: path).path(percentEncoded: false)
      if !FileManager.default.fileExists(atPath: file) { return "has no file \(path)" }
    }
    if reference["type"] as? String == "file", (reference["content"] as? [String] ?? []).isEmpty {
      return "is empty"
    }
    guard let target = reference["url"] as? String else { return nil }
    guard target.hasPrefix("/") else {
      return target.hasPrefix("https://") ? nil : "leads to \(target)"
    }
    let parts = target.split(separator: "#", maxSplits: 1).map(String.init)
    // A chapter of the table of tutorials is no page of its own.
    if parts[0].hasPrefix("/tutorials/tutorials/") { return nil }
    guard let anchors = anchors[parts[0]] else { return "has no page \(parts[0])" }
    return parts.count == 1 || anchors.contains(parts[1]) ? nil : "has no heading \(target)"
  }

  /// The names of references in the text and the lists of a page.
  private static func named(in page: [String: Any]) -> Set<String> {
    var names: Set<String> = []
    for object in objects(in: page) {
      if object["type"] as? String == "reference", let name = object["identifier"] as? String {
        names.insert(name)
      }
      names.formUnion(object["identifiers"] as? [String] ?? [])
      if let code = object["code"] as? String, object["type"] as? String == "step" {
        names.insert(code)
      }
    }
    return names
  }

  /// All objects in a value, at any depth.
  private static func objects(in value: Any) -> [[String: Any]] {
    switch value {
    case let object as [String: Any]: [object] + object.values.flatMap { objects(in: $0) }
    case let array as [Any]: array.flatMap { objects(in: $0) }
    default: []
    }
  }

  private static func object(at url: URL) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
  }
}

var isSound = true
for path in CommandLine.arguments.dropFirst() {
  let archive = try Archive(URL(fileURLWithPath: path))
  let faults = try archive.faults()
  for fault in faults { print("error: \(path): \(fault)") }
  print("\(path): \(archive.count) pages, \(faults.count) broken references")
  isSound = isSound && faults.isEmpty && archive.count > 0
}
exit(isSound ? EXIT_SUCCESS : EXIT_FAILURE)
