package import Kinship

/// What it takes to read records that lie somewhere.
package protocol InspectedSource: AnyObject {
  /// The path of what they are in.
  var path: String { get }

  /// Reads the fields of a record.
  ///
  /// - Throws: `KinshipError.damaged` and `.fileFailed`.
  func value(of record: InspectedRecord) throws(KinshipError) -> FieldValue
}

/// A record in a file, whose fields are read when they are wanted.
package struct InspectedRecord {
  package let type: TypeName
  /// The id; `nil` if there is no field of that name in a record of a snapshot, or it cannot be
  /// decoded.
  package let id: FieldValue?
  /// Where in the file the record or its entry begins; in a table, the number of the row.
  package let offset: Int
  /// How many bytes the record takes; in a store, its entry.
  package let byteCount: Int
  /// How old it was when it was captured, in tenths of a second; `nil` in a store.
  package let age: Int?
  package let source: any InspectedSource
  /// The bytes that are to be read, from the offset on.
  package let extent: Int

  package init(
    type: TypeName, id: FieldValue?, offset: Int, byteCount: Int = 0, age: Int? = nil,
    source: any InspectedSource, extent: Int = 0
  ) {
    self.type = type
    self.id = id
    self.offset = offset
    self.byteCount = byteCount
    self.age = age
    self.source = source
    self.extent = extent
  }

  package var file: String { source.path }

  /// Reads the record.
  ///
  /// - Returns: Its fields; another value if it is no record with fields.
  /// - Throws: `KinshipError.damaged` and `.fileFailed`.
  /// - Complexity: O(*n*) in its bytes.
  package func value() throws(KinshipError) -> FieldValue { try source.value(of: self) }

  /// Describes what is wrong with the record.
  package func damage(_ cause: String) -> FileDamage {
    FileDamage(
      file: file, offset: offset, type: type.name, id: id.map { "\(PlainValue($0))" },
      cause: cause)
  }
}
