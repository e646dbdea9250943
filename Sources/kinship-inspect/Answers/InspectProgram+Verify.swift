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
  private func danglingRefs(in inspection: Inspection, _ refs: [RefPath]) throws -> [FileDamage] {
    if refs.isEmpty { return [] }
    try require(refs, in: inspection)
    let known = RecordsByID(inspection)
    var faults: [FileDamage] = []
    for record in inspection.records {
      for path in refs where path.type == record.type.name {
        // One that cannot be read was found before.
        guard let value = try record.readable({ _ in }) else { continue }
        for id in path.ids(in: value) where known[path.target, id] == nil {
          faults.append(
            record.damage("\(path.name) leads to \(path.target):\(id.cell), which is not there"))
        }
      }
    }
    return faults
  }

  /// - Throws: `Failure` if a type or a property of refs does not exist: a typing error would find
  ///   nothing, and say that all is sound.
  func require(_ refs: [RefPath], in inspection: Inspection) throws(Failure) {
    for ref in refs {
      guard inspection.types.contains(where: { $0.id.name == ref.type }) else {
        throw Failure(
          status: .usage, subject: inspection.path, message: "there is no type \(ref.type.quoted)")
      }
      try inspection.require(ref.property, of: ref.type)
    }
  }
}

/// The places of the records of a file, by the ids that refs hold.
struct RecordsByID {
  private struct Key: Hashable {
    let type: String
    let id: FieldValue
  }

  private let places: [Key: Int]

  init(_ inspection: Inspection) {
    places = Dictionary(
      inspection.records.enumerated().compactMap { place, record in
        record.id.map { (Key(type: record.type.name, id: $0), place) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The place of a record among those of the file; `nil` if it is not there.
  subscript(type: String, id: FieldValue) -> Int? { places[Key(type: type, id: id)] }
}

extension RefPath {
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
