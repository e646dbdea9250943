import Foundation
import Kinship
import KinshipInspection
import KinshipProgram

struct Overview {
  private let inspection: Inspection

  init(_ inspection: Inspection) { self.inspection = inspection }

  func text(_ console: any Console) -> String {
    let (kind, facts): (String, [(String, String)])
    switch inspection.kind {
    case .snapshot(let snapshot): (kind, facts) = ("snapshot", lines(of: snapshot))
    case .store(let store):
      (kind, facts) = (store.isBackup ? "backup" : "store", lines(of: store))
    case .queue(let queue): (kind, facts) = ("queue", lines(of: queue))
    case .database(let database): (kind, facts) = ("database", lines(of: database))
    }
    let width = facts.map(\.0.count).max() ?? 0
    return "\(console.style.bold(kind)) \(inspection.path)\n"
      + facts.map { "  \($0.padded(to: width))  \($1)\n" }.joined() + "\n" + types(console)
      + lists(console)
  }

  private func lines(of facts: SnapshotFacts) -> [(String, String)] {
    let count = inspection.records.count
    let captured = "\(facts.captured.counted("record"))"
    return [
      ("size", facts.size.counted("byte")), ("format", "\(facts.formatVersion)"),
      ("coder", facts.coder.readable), ("captured", facts.date), ("cursor", facts.cursorText),
      (
        "records",
        count == facts.captured ? captured : "\(count.grouped), of \(captured) when captured"
      ),
      ("in order of use", order),
    ]
  }

  /// The first and the last records in the recency order.
  private var order: String {
    let records = inspection.records
    let names = records.prefix(records.count > 4 ? 3 : 4).map(\.name)
    return (names + (records.count > 4 ? ["…"] + records.suffix(1).map(\.name) : []))
      .joined(separator: ", ")
  }

  private func lines(of facts: StoreFacts) -> [(String, String)] {
    let waste = max(0, facts.totalBytes - facts.liveBytes)
    var lines = [
      ("size", facts.totalBytes.counted("byte")),
      ("segments", "\(facts.segments.count), " + facts.segments.map { "\($0.number)" }.ends),
      ("coder", Set(facts.segments.map(\.coder.readable)).sorted().joined(separator: ", ")),
      ("last commit", facts.lastCommit == 0 ? "none" : facts.lastCommit.grouped),
      ("records", inspection.records.count.grouped),
      ("in use", facts.liveBytes.counted("byte")),
      ("not in use", waste.counted("byte")),
    ]
    if let cut = facts.uncommitted {
      lines.append(
        ("uncommitted", "\(facts.uncommittedBytes.counted("byte")) at \(cut.offset)"))
    }
    return lines
  }

  private func lines(of facts: QueueFacts) -> [(String, String)] {
    let lines = [
      ("size", facts.bytes.all.counted("byte")),
      ("waiting", "\(facts.waiting.counted("write")) of \(facts.bytes.waiting.counted("byte"))"),
    ]
    return lines + (facts.unqueued.map { [("unqueued", "at \($0.offset)")] } ?? [])
  }

  private func lines(of facts: DatabaseFacts) -> [(String, String)] {
    var lines = [("system", facts.system), ("size", facts.bytes.counted("byte"))]
    if let bytes = facts.freeBytes { lines.append(("not in use", bytes.counted("byte"))) }
    if let version = facts.version { lines.append(("user version", "\(version)")) }
    lines.append(("records", inspection.records.count.grouped))
    guard let log = facts.log else { return lines + [("change log", "none")] }
    lines += [
      ("change log", "\(log.changes.lowerBound.grouped) to \(log.changes.upperBound.grouped)"),
      ("tracked", log.tracked.map(\.readable).joined(separator: ", ")),
    ]
    if !log.lacking.isEmpty {
      lines.append(("lacking", log.lacking.map(\.readable).joined(separator: ", ")))
    }
    return lines
  }

  private func types(_ console: any Console) -> String {
    if inspection.types.isEmpty { return "  no types\n" }
    let hasAges = inspection.types.contains { $0.ages != nil }
    var table = TextTable(
      ["type", "version", "records", "bytes"] + (hasAges ? ["ages"] : []), numbers: [1, 2, 3])
    for type in inspection.types {
      let ages = type.ages.map { "\($0.lowerBound.tenths) to \($0.upperBound.tenths) s" } ?? ""
      table.add(
        [type.id.name.readable, "\(type.id.version)", type.count.grouped, type.bytes.grouped]
          + (hasAges ? [ages] : []))
    }
    return table.text(console, indent: "  ")
  }

  private func lists(_ console: any Console) -> String {
    guard case .snapshot(let facts) = inspection.kind else { return "" }
    let lists = facts.leases + facts.missing
    if lists.isEmpty { return "" }
    var table = TextTable(["ids", "type", "count", ""], numbers: [2])
    for list in lists {
      table.add([
        list.name.isEmpty ? "missing" : "lease \(list.name.quoted)", list.type.name.readable,
        list.ids.count.grouped, list.ids.map(\.cell).ends,
      ])
    }
    return "\n" + table.text(console, indent: "  ")
  }
}

extension [String] {
  /// All of a few, and the first and the last of many.
  fileprivate var ends: String {
    count <= 4 ? joined(separator: ", ") : "\(self[0]), …, \(self[count - 1])"
  }
}

extension SnapshotFacts {
  /// When it was captured, in UTC.
  fileprivate var date: String {
    let date = Date(timeIntervalSince1970: Double(moment) / 1_000)
    return date.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon))
  }

  fileprivate var cursorText: String {
    cursors.isEmpty ? "none" : cursors.map(\.quoted).joined(separator: ", ")
  }
}

extension Overview {
  /// The same as JSON on one line.
  var json: String {
    var members = [("path", inspection.path.json)]
    switch inspection.kind {
    case .snapshot(let facts):
      members += [
        ("kind", "snapshot".json), ("bytes", "\(facts.size)"),
        ("format", "\(facts.formatVersion)"), ("coder", facts.coder.json),
        ("captured", "\(facts.moment)"), ("recordsWhenCaptured", "\(facts.captured)"),
        ("cursor", facts.cursors.isEmpty ? "null" : facts.cursors.joined(separator: ", ").json),
        ("leases", ids(facts.leases)),
        ("missing", ids(facts.missing)), ("answers", "\(facts.answers.count)"),
      ]
    case .store(let facts):
      members += [
        ("kind", (facts.isBackup ? "backup" : "store").json), ("bytes", "\(facts.totalBytes)"),
        ("liveBytes", "\(facts.liveBytes)"), ("lastCommit", "\(facts.lastCommit)"),
        ("uncommittedBytes", "\(facts.uncommittedBytes)"),
        ("segments", JSONText.list(facts.segments.map(\.json))),
      ]
    case .queue(let facts):
      members += [
        ("kind", "queue".json), ("bytes", "\(facts.bytes.all)"), ("waiting", "\(facts.waiting)"),
        ("waitingBytes", "\(facts.bytes.waiting)"),
        ("unqueuedFrom", facts.unqueued.map { "\($0.offset)" } ?? "null"),
      ]
    case .database(let facts):
      members += [
        ("kind", "database".json), ("system", facts.system.json), ("bytes", "\(facts.bytes)"),
        ("freeBytes", facts.freeBytes.map { "\($0)" } ?? "null"),
        ("userVersion", facts.version.map { "\($0)" } ?? "null"),
        ("changeLog", facts.log?.json ?? "null"),
        ("refs", JSONText.list(inspection.refs.map { $0.text.json })),
      ]
    }
    members += [
      ("records", "\(inspection.records.count)"),
      ("types", JSONText.list(inspection.types.map(\.json))),
      ("damage", JSONText.list(inspection.damage.map(\.json))),
    ]
    return JSONText.object(members)
  }

  private func ids(_ lists: [InspectedIDs]) -> String {
    JSONText.list(
      lists.map { list in
        JSONText.object([
          ("name", list.name.json), ("type", list.type.name.json),
          ("ids", JSONText.list(list.ids.map(\.json))),
        ])
      })
  }
}

extension DatabaseFacts.Log {
  fileprivate var json: String {
    JSONText.object([
      ("changes", "[\(changes.lowerBound),\(changes.upperBound)]"),
      ("tracked", JSONText.list(tracked.map(\.json))),
      ("lacking", JSONText.list(lacking.map(\.json))),
    ])
  }
}

extension StoreFacts.Segment {
  fileprivate var json: String {
    JSONText.object([
      ("number", "\(number)"), ("bytes", "\(bytes)"), ("liveBytes", "\(liveBytes)"),
      ("coder", coder.json),
      ("commits", commits.map { "[\($0.lowerBound),\($0.upperBound)]" } ?? "null"),
    ])
  }
}

extension InspectedType {
  fileprivate var json: String {
    var members = [
      ("name", id.name.json), ("version", "\(id.version)"), ("records", "\(count)"),
      ("bytes", "\(bytes)"), ("fields", JSONText.list(fields.map(\.json))),
    ]
    if let ages {
      members.append(("ages", "[\(ages.lowerBound.tenths),\(ages.upperBound.tenths)]"))
    }
    return JSONText.object(members)
  }
}

extension FileDamage {
  fileprivate var json: String {
    JSONText.object([
      ("file", file.json), ("offset", "\(offset)"), ("type", type?.json ?? "null"),
      ("id", id.map { "\($0)".json } ?? "null"), ("cause", cause.json),
    ])
  }
}
