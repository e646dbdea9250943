package import Kinship

/// Reads the fields of records on demand.
package protocol InspectedSource: AnyObject {
  /// The path of the file, directory or database.
  var path: String { get }

  /// Reads the fields of a record.
  ///
  /// - Throws: `KinshipError.file(.damaged)` and `.file(.failed)`.
  func value(of record: InspectedRecord) throws(KinshipError) -> FieldValue
}

/// The identity of a record: the name of its type, whatever the version, and its id.
package struct RecordIdentity: Hashable, Sendable {
  package let type: String
  package let id: FieldValue?

  package init(_ type: String, _ id: FieldValue?) {
    self.type = type
    self.id = id
  }
}

/// A record in a file, whose fields are read on demand.
package struct InspectedRecord {
  package let type: TypeName
  /// The id; `nil` if a snapshot's record has no field of that name, or it cannot be decoded.
  package let id: FieldValue?
  /// The offset of the record or its entry in the file; for a table, the number of the row.
  package let offset: Int
  /// The size of the record in bytes; for a store, of its entry.
  package let byteCount: Int
  /// The age of the record when it was captured, in tenths of a second; `nil` for a store.
  package let age: Int?
  package let source: any InspectedSource
  /// The number of bytes to read from the offset on.
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

  package var identity: RecordIdentity { RecordIdentity(type.name, id) }

  /// Reads the record.
  ///
  /// - Returns: Its fields; another kind of value if it is no record with fields.
  /// - Throws: `KinshipError.file(.damaged)` and `.file(.failed)`.
  /// - Complexity: O(*n*) in its bytes.
  package func value() throws(KinshipError) -> FieldValue { try source.value(of: self) }

  /// Describes damage to the record.
  package func damage(_ cause: String) -> FileDamage {
    FileDamage(
      file: file, offset: offset, type: type.name, id: id?.plainText,
      cause: cause)
  }
}
