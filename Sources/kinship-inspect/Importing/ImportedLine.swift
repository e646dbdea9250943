import Kinship
import KinshipFileStore
import KinshipInspection
import KinshipProgram

/// A line of JSON as a record: what `export` has made of one.
struct ImportedLine {
  let record: NewRecord

  /// Reads a line; `renamed` has the new names of types, by their old ones.
  init(_ bytes: [UInt8], renamed: [String: String]) throws(TextFault) {
    var reader = JSONReader(bytes)
    let all = try reader.object()
    var members = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    for member in all where !Self.names.contains(member.name) {
      throw TextFault(
        place: member.place, cause: "a record has no \(member.name.quoted). It has \(Self.list)")
    }
    func member(_ name: String) throws(TextFault) -> JSONReader.Member {
      guard let member = members.removeValue(forKey: name) else {
        throw TextFault(place: 0, cause: "the record has no \(name.quoted)")
      }
      return member
    }
    let (type, version, fields) = (try member("type"), try member("version"), try member("fields"))
    guard let name = type.value.text, !name.isEmpty else {
      throw TextFault(place: type.place, cause: "the type should be a text")
    }
    guard let number = version.value.int, (0...1_000_000_000).contains(number) else {
      throw TextFault(place: version.place, cause: "the version should be a whole number")
    }
    let id = try member("id")
    var parts = RecordFields()
    (parts["id"], parts["fields"]) = (id.value, fields.value)
    if let kinds = members["kinds"] { parts = try Self.plain(kinds, in: parts) }
    let (idValue, value) = (parts["id"] ?? .null, parts["fields"] ?? .null)
    if let own = value.fields?["id"], own != idValue {
      throw TextFault(place: id.place, cause: "the id differs from the one among the fields")
    }
    record = NewRecord(
      type: TypeName(name: renamed[name] ?? name, version: number),
      id: idValue == .null ? nil : idValue, age: try Self.age(members["age"]), value: value)
  }

  private static let names = ["type", "version", "id", "age", "fields", "kinds"]
  private static let list = names.joined(separator: ", ")

  /// In tenths of a second.
  private static func age(_ member: JSONReader.Member?) throws(TextFault) -> Int {
    guard let member else { return 0 }
    guard let seconds = member.value.double, (0...1e12).contains(seconds) else {
      throw TextFault(place: member.place, cause: "the age should be a number of seconds")
    }
    return Int((seconds * 10).rounded())
  }

  /// Converts texts into the values that they stand for.
  private static func plain(
    _ member: JSONReader.Member, in parts: RecordFields
  ) throws(TextFault) -> RecordFields {
    var kinds: [PlainKind.Place] = []
    for name in member.value.fields?.names ?? [] {
      guard let kind = member.value.fields?[name]?.text.flatMap(PlainKind.init) else {
        throw TextFault(place: member.place, cause: "\(name.quoted) should be \(kindNames)")
      }
      kinds.append(PlainKind.Place(path: name, kind: kind))
    }
    guard let taken = FieldValue.fields(parts).taking(kinds)?.fields else {
      throw TextFault(place: member.place, cause: "one of the values is not there, or is not that")
    }
    return taken
  }

  private static let kindNames = PlainKind.allCases.map(\.rawValue).joined(separator: ", ")
}
