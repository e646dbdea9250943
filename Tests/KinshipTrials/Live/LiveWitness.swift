import KinshipTestSupport

@testable import Kinship

/// An observer, and the records shown to it.
struct LiveWitness {
  let question: LiveQuestion
  var subject: QuerySubject<Member>
  let observer: Observer
  var shown: [Member]
  /// The same in sections by the first property of the order.
  private var sections = SectionedList<String, Member>()
  private var shownSections: [RecordSection<String, Member>] = []

  init(_ question: LiveQuestion, in cache: GraphCache) async throws {
    self.question = question
    var subject = QuerySubject(question.query)
    let (observer, first) = try await subject.start(in: cache)
    (self.subject, self.observer, shown) = (subject, observer, [])
    try take(first)
  }

  private mutating func take(_ change: ObservedChange<ResultList<Member>, ListDiff<Member>>) throws
  {
    try verifyEqual(
      change.diff.applying(to: shown), Array(change.value), "\(question): the difference applied")
    try verifyEqual(
      change.value.indices.map { change.value[$0] }, Array(change.value), "by positions")
    for update in change.diff.updated {
      try verify(update.old != update.new, "\(update) is no update")
    }
    shown = Array(change.value)
    try takeSections(change)
  }

  private mutating func takeSections(_ change: ObservedChange<ResultList<Member>, ListDiff<Member>>)
    throws
  {
    let byOwner = question.byOwner
    let key = { @Sendable (account: Member) in
      byOwner ? account.name ?? "nobody" : "\(account.rank)"
    }
    let sectioning = Sectioning(term: question.query.order[0], key: key)
    let isFirst = sections.records.isEmpty
    let next = sectioning.next(change, after: sections)
    sections = next.value
    var expected: [(key: String, records: [Member])] = []
    for account in change.value {
      if expected.last?.key != key(account) { expected.append((key(account), [])) }
      expected[expected.count - 1].records.append(account)
    }
    try verifyEqual(
      Array(next.value), expected.map { RecordSection($0.key, $0.records) }, "\(question): sections"
    )
    let diff = next.diff
    try verifyEqual(
      diff.applying(to: shownSections), Array(next.value), "\(question): their difference")
    try verify(isFirst || !diff.isEmpty, "\(question): a difference is lost")
    // Sections are inserted and removed with their rows.
    let (come, gone) = (
      Set(diff.insertedSections.map(\.position)), Set(diff.removedSections.map(\.position))
    )
    let (arriving, leaving) = (
      diff.inserted.map(\.place) + diff.moved.map(\.to) + diff.updated.map(\.place),
      diff.removed.map(\.place) + diff.moved.map(\.from)
    )
    try verify(come.isDisjoint(with: arriving.map(\.section)), "\(question): twice in \(diff)")
    try verify(gone.isDisjoint(with: leaving.map(\.section)), "\(question): twice in \(diff)")
    for section in diff.removedSections {
      try verifyEqual(section.section, shownSections[section.position], "what has gone")
    }
    shownSections = Array(next.value)
  }

  mutating func look(expecting clubModel: ClubModel) async throws {
    if let change = try await subject.next(observer, RecordComparison()) {
      try verify(!change.diff.isEmpty, "\(question): an element without news")
      try take(change)
    }
    try verifyEqual(shown, try question.answer(clubModel), "\(question)")
    if let change = try await subject.next(observer, RecordComparison()) {
      throw Mismatch("\(question): more news: \(change.diff)")
    }
  }
}
