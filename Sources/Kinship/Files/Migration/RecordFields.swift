/// The fields of a stored record by name, which a step of a migration changes.
///
/// ```swift
/// _ = Migrations().step(for: Person.self, from: 1) { person in
///   person.rename("name", to: "fullName")
///   person["isAlive"] = .bool(person["death"] == nil)
/// }
/// ```
public struct RecordFields: Hashable, Sendable {
  private var values: [String: FieldValue] = [:]

  /// Creates an empty set of fields.
  public init() {}

  /// The names of the fields, sorted.
  public var names: [String] { values.keys.sorted() }

  /// The value of a field; `nil` if there is no such field.
  ///
  /// - Parameter name: The name, most often that of the property.
  /// - Complexity: O(1) on average.
  public subscript(name: String) -> FieldValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// Renames a field; does nothing if there is no such field.
  ///
  /// - Parameters:
  ///   - name: The old name.
  ///   - newName: The new name. A field that already has it is replaced.
  /// - Complexity: O(1) on average.
  public mutating func rename(_ name: String, to newName: String) {
    if let value = values.removeValue(forKey: name) { values[newName] = value }
  }

  /// Whether any field contains one of some values, at any depth.
  package func holdsOne(of wanted: Set<FieldValue>) -> Bool {
    values.values.contains { $0.holdsOne(of: wanted) }
  }

  /// Removes a field.
  ///
  /// - Parameter name: The name.
  /// - Returns: Its value, or `nil` if there was no such field.
  /// - Complexity: O(1) on average.
  @discardableResult
  public mutating func remove(_ name: String) -> FieldValue? { values.removeValue(forKey: name) }
}

extension RecordFields: Codable {
  /// Decodes the fields of any record.
  ///
  /// - Parameter decoder: A decoder for a self-describing format.
  /// - Throws: `DecodingError` if the value is no record.
  public init(from decoder: any Decoder) throws {
    try self.init(from: decoder.container(keyedBy: FieldName.self))
  }

  init(from container: KeyedDecodingContainer<FieldName>) throws {
    for name in container.allKeys {
      values[name.stringValue] = try container.decode(FieldValue.self, forKey: name)
    }
  }

  /// Encodes the fields as a record with these properties.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FieldName.self)
    for name in names { try container.encode(values[name], forKey: FieldName(stringValue: name)) }
  }
}
