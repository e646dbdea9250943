import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// The windows that are requested, held and dropped, beside a plain list of rows.
@Suite(.tags(.lawQ2))
struct ResultWindowsTests {
  struct Entry: GraphRecord, Equatable {
    let id: Int
    var number: Int
  }

  enum Operation: Command {
    case read(Int)
    /// Reads next to the last row.
    case step(Int)
    /// The store answers one of its requests, or fails.
    case answer(Int)
    case fail(Int)
    case write(id: Int, number: Int?)
    case renew

    static func random(using generator: inout SplitMix64) -> Operation {
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      return switch number(0...19) {
      case 0..<3: .read(number(-1...60))
      case 3..<8: .step(number(-3...3))
      case 8..<15: .answer(number(0...3))
      case 15: .fail(number(0...3))
      case 16..<19: .write(id: number(0...60), number: number(0...2) == 0 ? nil : number(0...9))
      default: .renew
      }
    }
  }

  struct Setting: Sendable, CustomTestStringConvertible {
    let size: Int
    let capacity: Int
    let ahead: Int
    let places: Int
    let offset: Int
    let limit: Int?
    let changes: Bool

    var testDescription: String { "\(self)" }

    var query: RecordQuery<Entry> {
      let query = RecordQuery<Entry>(RecordFilter { $0.number > 1 })
        .sorted(by: \.number, .descending).skipping(offset)
      return limit.map { query.limited(to: $0) } ?? query
    }
  }

  private final class World {
    let setting: Setting
    var rows: [Entry]
    var windows: ResultWindows<Entry>
    var requests: [ResultWindows<Entry>.Request] = []
    /// The windows that must be held, the least recently used first.
    var held: [(window: Int, records: [Entry])] = []
    /// The complete answer, if nothing has changed since it was counted.
    var answer: [Entry]?
    var position = 0

    init(_ setting: Setting) throws {
      self.setting = setting
      rows = (0..<45).map { Entry(id: $0, number: $0 * 7 % 10) }
      let answer = try setting.query.answer(from: rows)
      self.answer = answer
      windows = ResultWindows(
        setting.query, count: answer.count, size: setting.size, capacity: setting.capacity,
        ahead: setting.ahead, placeCapacity: setting.places)
    }

    func perform(_ operation: Operation) throws {
      switch operation {
      case .read(let index): try read(index)
      case .step(let step): try read(position + step)
      case .answer(let choice):
        guard !requests.isEmpty else { break }
        try answer(requests.remove(at: choice % requests.count))
      case .fail(let choice):
        guard !requests.isEmpty else { break }
        windows.end(requests.remove(at: choice % requests.count))
      case .write(let id, let number):
        guard setting.changes else { break }
        rows.removeAll { $0.id == id }
        if let number { rows.append(Entry(id: id, number: number)) }
        answer = nil
      case .renew:
        let answer = try setting.query.answer(from: rows)
        windows.renew(count: answer.count)
        self.answer = answer
        held = []
      // Answers to the old requests have no effect any longer.
      }
      try take()
      try verifyEqual(windows.contents.windows, held.map(\.window), "what is held")
      try verify(held.count <= max(2, setting.capacity), "more is held than may be")
      try verify(windows.contents.places <= setting.places, "more places are known than may be")
    }

    private func read(_ index: Int) throws {
      position = min(max(index, -2), 62)
      let peeked = windows.peek(index)
      switch windows.read(index) {
      case .known(let record):
        try verifyEqual(record, peeked, "what is peeked at")
        guard (0..<windows.count).contains(index) else {
          return try verifyEqual(record, nil, "what is nowhere")
        }
        let place = try #require(held.firstIndex { $0.window == index / setting.size })
        held.append(held.remove(at: place))
        let records = held[held.count - 1].records
        let offset = index % setting.size
        try verifyEqual(record, records.indices.contains(offset) ? records[offset] : nil, "it")
        if let answer { try verifyEqual(record, answer[index], "position \(index)") }
      case .wanted(let window):
        try verifyEqual(window, index / setting.size, "the window")
        try verify(!held.contains { $0.window == window }, "what is held is wanted")
        try verifyEqual(peeked, nil, "what is wanted")
      }
    }

    private func take() throws {
      for request in windows.takeRequests() {
        let current = requests.filter { windows.isUnderway($0) }.map(\.window)
        for window in request.window - 1...request.window + 1 {
          try verify(!current.contains(window), "\(window) and \(request.window) at once")
        }
        try verify(!held.contains { $0.window == request.window }, "what is held is asked for")
        let isBeside = held.contains {
          abs($0.window - request.window) == 1 && !$0.records.isEmpty
        }
        if isBeside, request.window > 0 {
          try verifyEqual(request.query.offset, 0, "what is skipped beside what is held")
        }
        try verify(request.query.limit ?? .max <= setting.size + 1, "too much is asked for")
        requests.append(request)
      }
    }

    private func answer(_ request: ResultWindows<Entry>.Request) throws {
      let found = try request.query.answer(from: rows)
      let window = ResultWindow(found, to: request, in: setting.query)
      let isCurrent = windows.isUnderway(request)
      windows.store(window, to: request)
      guard isCurrent else { return }
      if let answer {
        let start = request.window * setting.size
        try verifyEqual(
          window.records, Array(answer.dropFirst(start).prefix(setting.size)), "a window")
      }
      try drop(beside: window.records, request)
      held.append((request.window, window.records))
      if held.count > max(2, setting.capacity) { held.removeFirst() }
      try verifyNeighbours(of: request.window)
    }

    /// Drops the windows that do not fit, and nothing else.
    private func drop(
      beside records: [Entry], _ request: ResultWindows<Entry>.Request
    ) throws {
      held.removeAll {
        abs($0.window - request.window) == 1 && $0.records.isEmpty && !records.isEmpty
      }
      let far = request.window + (request.isReversed ? -1 : 1)
      guard let beyond = held.first(where: { $0.window == far })?.records, !beyond.isEmpty else {
        return
      }
      let order = try all()
      var following: Entry?
      if records.count == request.count, let first = records.first, let last = records.last {
        following =
          request.isReversed
          ? order.last { setting.query.areInIncreasingOrder($0, first) }
          : order.first { setting.query.areInIncreasingOrder(last, $0) }
      }
      if following != (request.isReversed ? beyond.last : beyond.first) {
        held.removeAll { $0.window == far }
      }
    }

    private func all() throws -> [Entry] {
      try setting.query.widenedToAll.answer(from: rows)
    }

    /// Nothing remains between two adjacent windows.
    private func verifyNeighbours(of window: Int) throws {
      let order = try all()
      for (left, right) in [(window - 1, window), (window, window + 1)] {
        guard let left = held.first(where: { $0.window == left })?.records,
          let right = held.first(where: { $0.window == right })?.records
        else { continue }
        let (last, first) = (left.last, right.first)
        if last == nil, first == nil { continue }
        let between = order.filter { entry in
          last.map { setting.query.areInIncreasingOrder($0, entry) } ?? true
            && first.map { setting.query.areInIncreasingOrder(entry, $0) } ?? true
        }
        // The records before the offset come before the first window.
        if last == nil, setting.offset > 0 { continue }
        // The records beyond the limit come after the last window.
        if first == nil, setting.limit != nil { continue }
        try verifyEqual(between, [], "between the windows beside \(window)")
        if let last, let first {
          try verify(setting.query.areInIncreasingOrder(last, first), "\(last) before \(first)")
        }
      }
    }
  }

  @Test(arguments: [
    Setting(size: 1, capacity: 2, ahead: 0, places: 0, offset: 0, limit: nil, changes: false),
    Setting(size: 4, capacity: 3, ahead: 2, places: 2, offset: 0, limit: nil, changes: false),
    Setting(size: 5, capacity: 4, ahead: 9, places: 50, offset: 3, limit: 21, changes: false),
    Setting(size: 100, capacity: 2, ahead: 1, places: 9, offset: 0, limit: nil, changes: false),
    Setting(size: 1, capacity: 9, ahead: 1, places: 3, offset: 0, limit: nil, changes: true),
    Setting(size: 3, capacity: 3, ahead: 2, places: 50, offset: 0, limit: nil, changes: true),
    Setting(size: 3, capacity: 20, ahead: 0, places: 50, offset: 2, limit: nil, changes: true),
    Setting(size: 4, capacity: 20, ahead: 2, places: 1, offset: 1, limit: 25, changes: true),
  ])
  func `windows of results equal the full list`(setting: Setting) throws {
    try Property.check(
      seeds: 20, steps: 200, generate: Operation.random, system: { _ in try World(setting) },
      apply: { try $0.perform($1) })
  }

  @Test func `the last window is requested from the end`() {
    var windows = ResultWindows(
      RecordQuery<Entry>().sorted(by: \.number), count: 10_000_000, size: 50, capacity: 3, ahead: 0)
    _ = windows.read(9_999_999)
    let request = windows.takeRequests()[0]
    #expect(request.isReversed && request.query.offset == 0 && request.query.limit == 50)
  }

  @Test func `a wrong count from a store does not trap`() {
    for (count, size) in [(Int.max, 1), (.max, .max), (.max, 7), (-5, 3)] {
      var windows = ResultWindows(
        RecordQuery<Entry>().skipping(9), count: count, size: size, capacity: .max, ahead: .max)
      for index in [0, Int.max - 1, .max, .min, -1, .max / 2] { _ = windows.read(index) }
      for request in windows.takeRequests() {
        windows.store(ResultWindow([], to: request, in: RecordQuery()), to: request)
      }
    }
  }

  /// A window between two others is requested with the first record of the next one, which may have
  /// moved meanwhile.
  @Test(arguments: [45, 50, 55])
  func `a neighbouring window whose record has moved is dropped`(number: Int) throws {
    let query = RecordQuery<Entry>().sorted(by: \.number)
    var windows = ResultWindows(query, count: 6, size: 2, capacity: 3, ahead: 0)
    func answer(_ window: Int, _ numbers: [Int: Int]) throws {
      _ = windows.read(window * 2)
      let request = try #require(windows.takeRequests().first)
      #expect(request.query.limit == numbers.count)
      let records = numbers.map { Entry(id: $0, number: $1) }.sorted { $0.number < $1.number }
      windows.store(
        ResultWindow(
          request.isReversed ? records.reversed() : records, to: request, in: query),
        to: request)
    }
    try answer(2, [5: 50, 6: 60])
    try answer(0, [1: 10, 2: 20])
    try answer(1, [3: 30, 4: 40, 5: number])
    #expect(windows.contents.windows == (number == 50 ? [2, 0, 1] : [0, 1]))
  }
}

extension RecordQuery {
  /// The query for all records that its offset and limit leave out, too.
  fileprivate var widenedToAll: RecordQuery { skipping(0).limited(to: .max) }
}
