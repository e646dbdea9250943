import Kinship
import Synchronization

/// What the deletion of a person or a family changes: what the rules of the relationships say, and
/// the families that it leaves without any member.
struct Deletion: Sendable {
  enum Subject: Sendable {
    case person(Ref<Person>)
    case family(Ref<Family>)

    func consequences(_ tx: inout GraphCache.Transaction) throws(KinshipError)
      -> GraphCache.DeletionConsequences
    {
      switch self {
      case .person(let ref): try tx.consequences(ofDeleting: ref)
      case .family(let ref): try tx.consequences(ofDeleting: ref)
      }
    }

    func delete(_ tx: inout GraphCache.Transaction) throws(KinshipError) {
      switch self {
      case .person(let ref): try tx.delete(ref)
      case .family(let ref): try tx.delete(ref)
      }
    }
  }

  /// A record that loses a ref, and by which relationship.
  struct Loss: Sendable {
    let record: AnyRef
    let relationship: String
  }

  let subject: Subject
  private(set) var deleted: [AnyRef]
  private(set) var losses: [Loss]
  /// Who stands in the way.
  let denials: [AnyRef]
  /// The families that go because nobody is left in them.
  private let emptied: [Ref<Family>]

  /// Finds out what a deletion would change, and changes nothing.
  init(of subject: Subject, _ tx: inout GraphCache.Transaction) throws(KinshipError) {
    self.subject = subject
    let consequences = try subject.consequences(&tx)
    deleted = consequences.deleted
    denials = consequences.denials.map(\.record)
    losses = consequences.nullified.map { Loss(record: $0.record, relationship: $0.relationship) }

    let gone = Set(deleted)
    var emptied: [Ref<Family>] = []
    for loss in losses {
      guard let ref = loss.record.as(Family.self), !emptied.contains(ref), let family = tx[ref],
        family.members.allSatisfy({ gone.contains(AnyRef($0)) })
      else { continue }
      emptied.append(ref)
      // Its children, who would deny it, are gone themselves by then.
      deleted.append(AnyRef(ref))
      deleted += family.events.filter { tx.contains($0) }.map { AnyRef($0) }
    }
    self.emptied = emptied
    let all = Set(deleted)
    losses.removeAll { all.contains($0.record) }
  }

  /// Makes the changes.
  func perform(_ tx: inout GraphCache.Transaction) throws(KinshipError) {
    try subject.delete(&tx)
    for family in emptied { try tx.delete(family) }
  }

  /// What a deletion would change, were it made now.
  static func preview(of subject: Subject, in cache: GraphCache) async throws -> Deletion {
    let found = Mutex<Deletion?>(nil)
    try await cache.write { tx in
      let deletion = try Deletion(of: subject, &tx)
      found.withLock { $0 = deletion }
    }
    guard let deletion = found.withLock({ $0 }) else { throw CancellationError() }
    return deletion
  }
}

extension Deletion {
  /// Who stands in the way, as the mistake of who wanted it.
  func denial(_ records: DeletionRecords) -> ShellMistake? {
    guard !denials.isEmpty else { return nil }
    let subject =
      switch subject {
      case .person(let ref): AnyRef(ref)
      case .family(let ref): AnyRef(ref)
      }
    return .denied(records.label(subject), by: denials.map(records.label))
  }
}
