import Kinship
import KinshipInspection
import KinshipProgram

extension Inspection {
  /// Makes sure that records can have a property.
  ///
  /// An optional property without a value is not in a record, so what types declare counts too.
  ///
  /// - Parameters:
  ///   - property: The names on the way to it, through lists as well.
  ///   - type: The record type; `nil` for any.
  /// - Throws: `Failure` if no record has the property, but some have anything else in its place.
  func require(_ property: [String], of type: String?) throws(Failure) {
    var known = property.map { _ in Set<String>() }
    // A value here may or may not have properties.
    var levels: Set<Int> = []
    for declared in types where type == nil || declared.id.name == type {
      known[0].formUnion(declared.fields)
    }
    func unknown() -> Int? { property.indices.first { !known[$0].contains(property[$0]) } }
    for record in records where type == nil || record.type.name == type {
      if unknown() == nil { return }
      guard let value = try record.readable({ _ in }) else { continue }
      var values = value.flattened
      for (level, name) in property.enumerated() {
        known[level].formUnion(values.flatMap { $0.fields?.names ?? [] })
        if values.contains(where: { $0 != .null }) { levels.insert(level) }
        values = values.compactMap { $0.fields?[name] }.flatMap(\.flattened)
      }
    }
    guard let level = unknown(), levels.contains(level) || !known[level].isEmpty else { return }
    let owner = ([type].compactMap(\.self) + property[..<level]).joined(separator: ".")
    let names = known[level].inColumns.map(\.readable).joined(separator: ", ")
    throw Failure(
      status: .usage, subject: path,
      message: "there is no property \(property[level].quoted)"
        + (owner.isEmpty ? "" : " of \(owner.readable)") + (names.isEmpty ? "" : ", but \(names)"))
  }
}
