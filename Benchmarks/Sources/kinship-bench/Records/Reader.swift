/// What a program does with a record that it has read.
protocol Reader: SendableMetatype {
  static func digest(of record: consuming some PersonRecord) -> Int
}

/// Looks at two properties and lets the record go.
///
/// Where a compiler sees through to the table it leaves out the copying of the rest.
enum GlancingReader: Reader {
  static func digest(of record: consuming some PersonRecord) -> Int { record.digest }
}

/// Takes the whole record over, as who keeps it does: it is copied, its strings and arrays
/// retained.
enum OwningReader: Reader {
  @inline(never)
  @_semantics("optimize.sil.specialize.owned2guarantee.never")
  static func digest(of record: consuming some PersonRecord) -> Int { record.digest }
}
