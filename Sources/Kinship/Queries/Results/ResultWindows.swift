/// Which parts of a query's answer are held, and which are to be asked for next.
///
/// The answer is cut into windows of one size. Of any two neighbours that are held, one begins with
/// what came right after the end of the other when the later one was asked for.
/// So a window is asked for by the key of a neighbour where one is known, never at the same time as
/// one, and a neighbour on the other side that no longer fits is dropped.
///
/// It runs no code of the user's: it is to be kept behind a lock. What it lets go of waits in
/// ``dropped`` until that is released.
struct ResultWindows<R: GraphRecord>: Sendable {
  private struct Held: Sendable {
    let answer: ResultWindow<R>
    var lastUse: UInt64
  }

  /// Where a window began and ended that is held no longer.
  private struct Place: Sendable {
    let ends: ResultWindow<R>.Ends
    let lastUse: UInt64
  }

  private let query: RecordQuery<R>
  let size: Int
  /// How many windows are held, and how many more places.
  private let capacity: Int
  private let placeCapacity: Int
  /// How near to a window's end the next one is asked for.
  private let ahead: Int

  private(set) var count: Int
  /// How often everything was asked anew.
  private var version = 0
  private var held: [Int: Held] = [:]
  private var places: [Int: Place] = [:]
  /// The windows that are to be asked for, and those that are.
  private var wanted: [Int] = []
  private var underway: Set<Int> = []
  private var clock: UInt64 = 0
  private var lastRead: Int?
  private var isReadBackwards = false
  /// What is to end outside of the lock.
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

  /// The positions of a window that there is.
  func range(of window: Int) -> Range<Int> {
    let start = window * size
    return start..<start + min(size, count - start)
  }

  /// The record at a position, if it is held.
  func peek(_ index: Int) -> R? {
    window(of: index).flatMap { held[$0]?.answer.record(index - $0 * size) }
  }

  /// What is known of a position.
  enum Reading: Sendable {
    /// The record; `nil` if there is none.
    case known(R?)
    /// The window that it is in, which is asked for by now.
    case wanted(Int)
  }

  /// Reads what is held of a position, or wants its window; and wants the next one, where the
  /// reader comes near to it.
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
      // Who jumps has no direction yet.
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

  // MARK: Asking

  /// A window that is to be asked for.
  struct Request: Sendable {
    let window: Int
    fileprivate let version: Int
    /// What to ask for; it may be one record more than belongs to the window.
    let query: RecordQuery<R>
    let isReversed: Bool
    let count: Int
    /// The place beside it from which it is asked for, if it is from there.
    let neighbour: SortPosition<R>?
    /// What the neighbour begins with to which the records lead, if that is held.
    let beyond: R?
  }

  /// Takes what is to be asked for now, in the order in which it was wanted.
  mutating func takeRequests() -> [Request] {
    var requests: [Request] = []
    var later: [Int] = []
    var taken = underway
    for window in wanted {
      // Its key is known once the neighbour has come.
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

  /// From where on a window is asked for.
  private struct Start {
    /// How many records lie between.
    let distance: Int
    let isReversed: Bool
    /// `nil` for the front, and for the end if it is reversed.
    let position: SortPosition<R>?
    /// The later the better: nobody looks at what is held no longer.
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

  /// The nearest place that is known: a neighbour's, if it is, of two the one that was read last.
  private func start(of range: Range<Int>, _ window: Int) -> Start {
    var nearest = Start(
      distance: range.lowerBound, isReversed: false, position: nil, lastUse: 0)
    // Beyond a limit there are others.
    if query.isWhole, count - range.upperBound < nearest.distance {
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

  // MARK: Taking in

  /// Takes in a window; does nothing if everything has been asked anew since.
  mutating func take(_ answer: ResultWindow<R>, to request: Request) {
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
      places[window] = Place(ends: oldest.answer.ends, lastUse: oldest.lastUse)
    }
    while places.count > placeCapacity,
      let (window, oldest) = places.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      places[window] = nil
      dropped.append(oldest)
    }
  }

  /// Whether a request was taken and has not ended, and nothing was asked anew since.
  func isUnderway(_ request: Request) -> Bool {
    request.version == version && underway.contains(request.window)
  }

  /// Notes that a window cannot be had: whoever wants it next has it asked for again.
  mutating func end(_ request: Request) {
    if isUnderway(request) { underway.remove(request.window) }
  }

  /// Begins anew.
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

  /// Takes what is to end outside of the lock.
  mutating func takeDropped() -> [any Sendable] {
    defer { dropped = [] }
    return dropped
  }

  /// The windows that are held, the least recently used first, and how many places are known
  /// besides.
  var contents: (windows: [Int], places: Int) {
    (held.sorted { $0.value.lastUse < $1.value.lastUse }.map { $0.key }, places.count)
  }
}
