/// The declaration of a record type in a file, before its first record.
///
/// Records name their type by its number: a file can hold several versions of a type.
package struct TypeDeclaration: Equatable, Sendable {
  /// The number by which records of the file name the type.
  package let number: Int
  /// The type's name, as it was when the file was written.
  package let name: String
  /// The type's version, as it was when the file was written.
  package let version: Int
  /// The names of the properties, for information only; decoding does not use them.
  package let fields: [String]

  package init(number: Int, name: String, version: Int, fields: [String]) {
    self.number = number
    self.name = name
    self.version = version
    self.fields = fields
  }

  /// Declares a current type with the names of its properties.
  package init(of type: any GraphRecord.Type, number: Int, fields: [String]) {
    self.init(number: number, name: type.recordName, version: type.recordVersion, fields: fields)
  }

  /// Appends the declaration's bytes.
  package func write(to bytes: inout [UInt8]) {
    bytes.append(varint: number)
    bytes.append(text: name)
    bytes.append(varint: version)
    bytes.append(texts: fields)
  }

  /// Reads a declaration.
  ///
  /// - Throws: `KinshipError.file(.damaged)`.
  package init(from reader: inout ByteReader) throws(KinshipError) {
    number = try reader.readNumber()
    name = try reader.readText()
    version = try reader.readNumber()
    fields = try reader.readTexts()
  }
}
