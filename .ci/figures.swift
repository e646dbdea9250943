// Fills the figures of articles from the reports of `kinship-bench all --json DIRECTORY`.
//
//     figures [--check] FIGURES ARTICLES
//
// FIGURES has the reports and the templates. A template is an article with a request in braces
// for each figure:
//
//     {cache hits 100000: Kinship, read}               the median of a system, with its unit
//     {cache hits 100000: Kinship, read / Dictionary}  it divided by that of another system
//     {views view-calls 10000: Kinship: a view # store calls}  a count
//
// `--check` changes nothing, and fails if an article differs.
import Foundation

struct Fault: Error, CustomStringConvertible {
  let description: String
}

struct Report: Decodable {
  struct Row: Decodable {
    struct Fact: Decodable {
      let what: String
      let value: Double
    }

    let `case`: String
    let system: String
    let quantile: String?
    let size: Int
    let unit: String
    let ns: Double?
    let bytes: Double?
    let facts: [Fact]

    var label: String { quantile.map { "\(system), \($0)" } ?? system }
    var value: Double {
      get throws {
        guard let value = ns ?? bytes else {
          throw Fault(description: "\(`case`) \(size): \(label) has no value.")
        }
        return value
      }
    }
  }

  let subcommand: String
  let rows: [Row]
}

/// The request in a template for one figure.
struct Request {
  let subcommand: String
  let name: String
  let size: Int
  let system: String
  var divisor: String?
  var count: String?

  init(_ text: Substring) throws {
    let parts = text.split(separator: ": ", maxSplits: 1)
    let place = parts.first?.split(separator: " ") ?? []
    guard parts.count == 2, place.count == 3, let size = Int(place[2]) else {
      throw Fault(
        description: "{\(text)} must be {SUBCOMMAND CASE SIZE: SYSTEM}, with “ / SYSTEM” for a "
          + "ratio or “ # COUNT” for a count.")
    }
    subcommand = String(place[0])
    name = String(place[1])
    self.size = size
    var system = parts[1]
    if let range = system.range(of: " / ") {
      divisor = String(system[range.upperBound...])
      system = system[..<range.lowerBound]
    } else if let range = system.range(of: " # ") {
      count = String(system[range.upperBound...])
      system = system[..<range.lowerBound]
    }
    self.system = String(system)
  }
}

struct Figures {
  private let rows: [String: [Report.Row]]

  init(folder: URL) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let reports = try files.filter { $0.pathExtension == "json" }.map {
      try JSONDecoder().decode(Report.self, from: Data(contentsOf: $0))
    }
    rows = Dictionary(grouping: reports, by: \.subcommand).mapValues { $0.flatMap(\.rows) }
  }

  /// A template with its figures.
  func fill(_ template: String) throws -> String {
    var text = ""
    var rest = template[...]
    while let start = rest.firstIndex(of: "{") {
      guard let end = rest[start...].firstIndex(of: "}") else {
        throw Fault(description: "A brace has no end: \(rest[start...].prefix(60))")
      }
      text += rest[..<start]
      text += try figure(Request(rest[rest.index(after: start)..<end]))
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  private func figure(_ request: Request) throws -> String {
    let row = try row(request, of: request.system)
    if let count = request.count {
      guard let fact = row.facts.first(where: { $0.what == count }) else {
        throw Fault(description: missing("count \(count)", request, row.facts.map(\.what)))
      }
      return Self.digits(fact.value)
    }
    let value = try row.value
    if let divisor = request.divisor {
      return Self.digits(value / (try self.row(request, of: divisor).value))
    }
    guard row.unit == "ns" else { return "\(Self.digits(value)) \(row.unit)" }
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let (size, unit) = units.first { value >= $0.0 } ?? (1, "ns")
    return "\(Self.digits(value / size)) \(unit)"
  }

  private func row(_ request: Request, of system: String) throws -> Report.Row {
    let candidates = rows[request.subcommand, default: []].filter {
      $0.case == request.name && $0.size == request.size
    }
    guard let row = candidates.first(where: { $0.label == system }) else {
      throw Fault(description: missing("system \(system)", request, candidates.map(\.label)))
    }
    return row
  }

  private func missing(_ what: String, _ request: Request, _ known: [String]) -> String {
    "There is no \(what) in \(request.subcommand) \(request.name) \(request.size), but "
      + (known.isEmpty ? "no row at all." : "\(known.joined(separator: "; ")).")
  }

  /// Three digits, of which at most two lie behind the point, or three of a small ratio.
  private static func digits(_ value: Double) -> String {
    let count = value < 0.0995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
    return value.formatted(
      .number.precision(.fractionLength(count)).locale(Locale(identifier: "en_US")))
  }
}

do {
  var paths = Array(CommandLine.arguments.dropFirst())
  let isCheck = paths.first == "--check"
  if isCheck { paths.removeFirst() }
  guard paths.count == 2 else {
    throw Fault(description: "usage: figures [--check] FIGURES ARTICLES")
  }
  let folders = paths.map { URL(filePath: $0, directoryHint: .isDirectory) }
  let figures = try Figures(folder: folders[0])
  let templates = try FileManager.default.contentsOfDirectory(
    at: folders[0], includingPropertiesForKeys: nil
  ).filter { $0.pathExtension == "md" }
  for template in templates {
    let article = folders[1].appending(path: template.lastPathComponent)
    let text = try figures.fill(String(contentsOf: template, encoding: .utf8))
    if !isCheck {
      try text.write(to: article, atomically: true, encoding: .utf8)
    } else if try String(contentsOf: article, encoding: .utf8) != text {
      throw Fault(
        description: "\(article.lastPathComponent) differs from its template and the reports. "
          + "Change the template, and run .ci/figures.")
    }
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
