/// A way in which a program uses a record that it has read.
protocol Reader: SendableMetatype {
  static func digest(of record: consuming some PersonRecord) -> Int
}

/// Reads two properties and does not keep the record.
///
/// A compiler that sees through to the table does not copy the other properties.
enum GlancingReader: Reader {
  static func digest(of record: consuming some PersonRecord) -> Int { record.digest }
}

/// Keeps the record: copies it, and retains its strings and arrays.
enum OwningReader: Reader {
  @inline(never)
  @_semantics("optimize.sil.specialize.owned2guarantee.never")
  static func digest(of record: consuming some PersonRecord) -> Int { record.digest }
}
