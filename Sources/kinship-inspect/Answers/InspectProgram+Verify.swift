import Kinship
import KinshipInspection
import KinshipProgram

extension InspectProgram {
  func verify(_ options: Options) throws -> ExitStatus {
    let inspection = try read(options.operands[0], options, all: true)
    var faults = inspection.damage
    faults += try danglingRefs(in: inspection, options.refs)
    for fault in faults { try console.write(fault.line("error") + "\n") }
    var records = inspection.records.count.counted("record")
    if case .store(let facts) = inspection.kind, let cut = facts.uncommitted {
      try console.write(
        "\(cut.file):\(cut.offset): note: \(facts.uncommittedBytes.counted("byte")) "
          + "of a commit that is not written to its end, or not yet\n")
    }
    if case .queue(let facts) = inspection.kind {
      records = facts.waiting.counted("write")
      if let unqueued = facts.unqueued {
        try console.write(
          "\(unqueued.file):\(unqueued.offset): note: a write that is not queued to its end, "
            + "or not yet\n")
      }
    }
    try console.write(
      faults.isEmpty ? "\(records), all sound\n" : "\(records), \(faults.count.counted("fault"))\n")
    return faults.isEmpty ? .success : .notFound
  }

  /// The refs that lead to no record.
  private func danglingRefs(in inspection: Inspection, _ refs: [InspectedRef]) throws
    -> [FileDamage]
  {
    if refs.isEmpty { return [] }
    try require(refs, in: inspection)
    let known = inspection.places
    var faults: [FileDamage] = []
    for record in inspection.records {
      for path in refs where path.type == record.type.name {
        // One that cannot be read was found before.
        guard let value = try record.readable({ _ in }) else { continue }
        for id in path.ids(in: value) where known[RecordIdentity(path.target, id)] == nil {
          faults.append(
            record.damage("\(path.name) leads to \(path.target):\(id.cell), which does not exist"))
        }
      }
    }
    return faults
  }

  /// - Throws: `Failure` if a type or a property of refs does not exist: a typing error would find
  ///   nothing, and say that all is sound.
  func require(_ refs: [InspectedRef], in inspection: Inspection) throws(Failure) {
    for ref in refs {
      try inspection.require(ref.type, .usage)
      try inspection.require(ref.property, of: ref.type)
    }
  }
}

extension InspectedRef {
  /// The ids that the refs of a record name, in their order: those of a list, too.
  func ids(in record: FieldValue) -> [FieldValue] {
    var values = [record]
    for name in property {
      values = values.flatMap(\.flattened).compactMap { $0.fields?[name] }
    }
    return values.flatMap(\.flattened).filter { $0 != .null }
  }
}

extension FieldValue {
  var flattened: [FieldValue] { list?.flatMap(\.flattened) ?? [self] }
}

extension Inspection {
  /// The places of the records, by the ids that refs hold.
  var places: [RecordIdentity: Int] {
    Dictionary(records.enumerated().map { ($1.identity, $0) }) { first, _ in first }
  }

  /// - Throws: `Failure` if there is no such type.
  func require(_ type: String, _ status: ExitStatus) throws(Failure) {
    let names = types.map(\.id.name)
    if names.contains(type) { return }
    throw Failure(
      status: status, subject: path,
      message: Self.unknown("type \(type.quoted) in it", type, "types", names)
        + (names.isEmpty ? ". There are no records" : ""))
  }

  /// The message about a misspelt name, with the nearest one and all of them.
  private static func unknown(
    _ what: String, _ name: String, _ kind: String, _ names: [String]
  ) -> String {
    let suggestion = names.suggestion(for: name)
    if names.isEmpty { return "there is no \(what)" }
    return "there is no \(what)\(suggestion.isEmpty ? "." : suggestion) The \(kind) are "
      + names.map(\.readable).joined(separator: ", ")
  }

  /// Checks that records can have a property, by the names on the way to it.
  ///
  /// An optional property without a value is not in a record, so what types declare counts too. It
  /// fails if no record has the property, but some have anything else in its place.
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
    throw Failure(
      status: .usage, subject: path,
      message: Self.unknown(
        "property \(property[level].quoted)" + (owner.isEmpty ? "" : " of \(owner.readable)"),
        property[level], "properties", known[level].inColumns))
  }
}
