/// The parts of a query's answer that are held, and the parts to request next.
///
/// The answer is cut into windows of one size. Of any two neighbours that are held, one begins with
/// the record that followed the end of the other when the later one was requested. So a window is
/// requested by the key of a neighbour if one is known, never at the same time as one, and a
/// neighbour on the other side that no longer fits is dropped.
///
/// It runs no code of the user: keep it behind a lock. Values that it releases wait in ``dropped``
/// until that is unlocked.
struct ResultWindows<R: GraphRecord>: Sendable {
  private struct Held: Sendable {
    let answer: ResultWindow<R>
    var lastUse: UInt64
  }

  /// The beginning and end of a window that is no longer held.
  private struct WindowBounds: Sendable {
    let ends: ResultWindow<R>.Ends
    let lastUse: UInt64
  }

  private let query: RecordQuery<R>
  let size: Int
  /// The number of windows that are held, and of further places that are remembered.
  private let capacity: Int
  private let placeCapacity: Int
  /// The distance from a window's end at which the next one is requested.
  private let ahead: Int

  private(set) var count: Int
  /// The number of times that everything was requested again.
  private var version = 0
  private var held: [Int: Held] = [:]
  private var places: [Int: WindowBounds] = [:]
  /// The windows to request, and those in flight.
  private var wanted: [Int] = []
  private var underway: Set<Int> = []
  private var clock: UInt64 = 0
  private var lastRead: Int?
  private var isReadBackwards = false
  /// The values to release outside of the lock.
  private var dropped: [any Sendable] = []

  init(
    _ query: RecordQuery<R>, count: Int, size: Int, capacity: Int, ahead: Int,
    placeCapacity: Int = 1_000
  ) {
    self.query = query.total
    self.count = max(0, count)
    self.size = min(size.checked(atLeast: 1, "windowSize"), 1 << 30)
    // The one that is read, and the next.
    self.capacity = capacity.checked(atLeast: 2, "windowCapacity")
    self.placeCapacity = placeCapacity
    self.ahead = ahead.checked(atLeast: 0, "readAhead")
  }

  // MARK: Reading

  /// The window of a position; `nil` if there is none.
  func window(of index: Int) -> Int? { (0..<count).contains(index) ? index / size : nil }

  /// Returns the positions of a window.
  func range(of window: Int) -> Range<Int> {
    let start = window * size
    return start..<start + min(size, count - start)
  }

  /// The record at a position, if it is held.
  func peek(_ index: Int) -> R? {
    window(of: index).flatMap { held[$0]?.answer.record(index - $0 * size) }
  }

  /// The result of reading a position.
  enum Reading: Sendable {
    /// The record; `nil` if there is none.
    case known(R?)
    /// The window of the position, which has been requested.
    case wanted(Int)
  }

  /// Reads a position or requests its window; also requests the next window if the reader gets near
  /// to it.
  mutating func read(_ index: Int) -> Reading {
    guard let window = window(of: index) else { return .known(nil) }
    defer { readAhead(index, window) }
    guard let answer = held[window]?.answer else {
      want(window)
      return .wanted(window)
    }
    clock += 1
    held[window]?.lastUse = clock
    return .known(answer.record(index - window * size))
  }

  private mutating func readAhead(_ index: Int, _ window: Int) {
    if let last = lastRead, index != last {
      // A reader that jumps has no direction yet.
      isReadBackwards = index < last && last - index <= size
    }
    lastRead = index
    let range = range(of: window)
    let rest = isReadBackwards ? index - range.lowerBound : range.upperBound - 1 - index
    if rest < ahead { want(isReadBackwards ? window - 1 : window + 1) }
  }

  private mutating func want(_ window: Int) {
    guard count > 0, 0...(count - 1) / size ~= window, held[window] == nil,
      !underway.contains(window), !wanted.contains(window)
    else { return }
    wanted.append(window)
  }

  // MARK: Requests

  /// A window to request.
  struct Request: Sendable {
    let window: Int
    fileprivate let version: Int
    /// The query to run; it may find one record more than belongs to the window.
    let query: RecordQuery<R>
    let isReversed: Bool
    let count: Int
    /// The place beside it from which it is requested, if there is one.
    let neighbour: SortPosition<R>?
    /// The first record of the neighbour that the records lead to, if that is held.
    let beyond: R?
  }

  /// Takes the requests to make now, in the order in which they were wanted.
  mutating func takeRequests() -> [Request] {
    var requests: [Request] = []
    var later: [Int] = []
    var taken = underway
    for window in wanted {
      // Its key is known once the neighbour has arrived.
      let waits = taken.contains(window - 1) || taken.contains(window + 1)
      taken.insert(window)
      if waits {
        later.append(window)
      } else {
        requests.append(request(window))
        underway.insert(window)
      }
    }
    wanted = later
    return requests
  }

  /// The position from which a window is requested.
  private struct Start {
    /// The number of records in between.
    let distance: Int
    let isReversed: Bool
    /// `nil` for the front, and for the end if it is reversed.
    let position: SortPosition<R>?
    /// The later the better: a place that is no longer held may be outdated.
    let lastUse: UInt64
  }

  private func request(_ window: Int) -> Request {
    let range = range(of: window)
    let start = start(of: range, window)
    let isReversed = start.isReversed
    let far = held[isReversed ? window - 1 : window + 1]?.answer.records
    let beyond = isReversed ? far?.last : far?.first
    var part = isReversed ? query.reversed : query
    if let position = start.position {
      part = part.following(isReversed ? position.reversed : position)
    }
    part = part.skipping(part.offset + min(start.distance, .max - part.offset))
    part = part.limited(to: range.count + (beyond == nil ? 0 : 1))
    return Request(
      window: window, version: version, query: part, isReversed: isReversed, count: range.count,
      neighbour: start.distance == 0 ? start.position : nil, beyond: beyond)
  }

  /// Returns the nearest known place: a neighbour's if possible, of two the one that was read last.
  private func start(of range: Range<Int>, _ window: Int) -> Start {
    var nearest = Start(
      distance: range.lowerBound, isReversed: false, position: nil, lastUse: 0)
    // Beyond a limit there are others.
    if query.isUnlimited, count - range.upperBound < nearest.distance {
      nearest = Start(
        distance: count - range.upperBound, isReversed: true, position: nil, lastUse: 0)
    }
    func consider(_ other: Int, _ ends: ResultWindow<R>.Ends, _ lastUse: UInt64) {
      if other == window { return }
      let isReversed = other > window
      guard let position = isReversed ? ends.first : ends.last else { return }
      let distance =
        isReversed
        ? self.range(of: other).lowerBound - range.upperBound
        : range.lowerBound - self.range(of: other).upperBound
      if (distance, nearest.lastUse) < (nearest.distance, lastUse) {
        nearest = Start(
          distance: distance, isReversed: isReversed, position: position, lastUse: lastUse)
      }
    }
    for (other, place) in places { consider(other, place.ends, place.lastUse) }
    for (other, window) in held { consider(other, window.answer.ends, window.lastUse) }
    return nearest
  }

  // MARK: Answers

  /// Stores a window; does nothing if everything has been requested again since.
  mutating func store(_ answer: ResultWindow<R>, to request: Request) {
    guard isUnderway(request) else { return }
    end(request)
    for neighbour in [request.window - 1, request.window + 1] {
      guard let records = held[neighbour]?.answer.records else { continue }
      // One that was empty had nothing beside it.
      let isOutdated = records.isEmpty && !answer.records.isEmpty
      let isFar = (neighbour < request.window) == request.isReversed
      if isOutdated || isFar && request.beyond != nil && !answer.fits {
        held.removeValue(forKey: neighbour).map { dropped.append($0) }
      }
    }
    clock += 1
    held[request.window] = Held(answer: answer, lastUse: clock)
    places.removeValue(forKey: request.window).map { dropped.append($0) }
    while held.count > capacity,
      let (window, oldest) = held.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      held[window] = nil
      dropped.append(oldest)
      places[window] = WindowBounds(ends: oldest.answer.ends, lastUse: oldest.lastUse)
    }
    while places.count > placeCapacity,
      let (window, oldest) = places.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      places[window] = nil
      dropped.append(oldest)
    }
  }

  /// Returns whether a request is in flight, and nothing was requested again since.
  func isUnderway(_ request: Request) -> Bool {
    request.version == version && underway.contains(request.window)
  }

  /// Notes that a window cannot be loaded: the next reader requests it again.
  mutating func end(_ request: Request) {
    if isUnderway(request) { underway.remove(request.window) }
  }

  /// Starts over.
  mutating func renew(count: Int) {
    self.count = max(0, count)
    version += 1
    dropped.append((held, places))
    held = [:]
    places = [:]
    wanted = []
    underway = []
    lastRead = nil
    isReadBackwards = false
  }

  /// Takes the values to release outside of the lock.
  mutating func takeDropped() -> [any Sendable] {
    defer { dropped = [] }
    return dropped
  }

  /// The windows that are held, the least recently used first, and the number of other known
  /// places.
  var contents: (windows: [Int], places: Int) {
    (held.sorted { $0.value.lastUse < $1.value.lastUse }.map { $0.key }, places.count)
  }
}
