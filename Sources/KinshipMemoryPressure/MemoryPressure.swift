#if canImport(Darwin)
  internal import Dispatch
#endif
internal import Kinship

/// The pressure on memory, as an asynchronous sequence of levels.
///
/// ```swift
/// let trimming = Task { await cache.trim(under: MemoryPressure()) }
/// ```
///
/// On Apple platforms the levels come from the system's notifications. On Linux they come from
/// files that any process may read:
///
/// - The memory use of the process's control group as a part of its limit, in either version of
///   control groups, and that of the groups around it. A warning begins at 80 %, and critical at 90
///   %. Memory that the system can reclaim by itself, such as cached files, is not counted. A
///   warning that persists is repeated after a second, and a critical level at each look.
/// - The part of a second during which any process in the group waited for memory, or any process
///   on the machine if the group's value is not known: pressure stall information. A warning begins
///   at 10 %. The level is critical if all processes waited for that long.
///
/// The sequence looks once a second, and more often near a limit: often enough to see a process
/// that takes a gigabyte a second before it reaches the next mark, but at most fifty times a
/// second. If there is neither a limit nor stall information, the sequence stays silent. It ends
/// when the task is cancelled.
public struct MemoryPressure: AsyncSequence, Sendable {
  /// The severity of the pressure.
  public enum Level: Comparable, Hashable, Sendable, CaseIterable {
    /// Memory is getting scarce.
    case warning
    /// The system may kill the process for lack of memory.
    case critical
  }

  /// The severity of the pressure.
  public typealias Element = Level
  /// The sequence never throws.
  public typealias Failure = Never

  /// Creates a sequence of the system's pressure levels.
  public init() {}

  /// Starts to listen for levels.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator() }

  /// Listens for levels until it is released.
  public struct Iterator: AsyncIteratorProtocol {
    #if canImport(Darwin)
      private var base: AsyncStream<Level>.Iterator
      /// One source for each level; they are cancelled when they are released.
      private let sources: [any DispatchSourceMemoryPressure]

      init() {
        // A slow reader gets the last level only.
        let (levels, told) = AsyncStream.makeStream(
          of: Level.self, bufferingPolicy: .bufferingNewest(1))
        base = levels.makeAsyncIterator()
        sources = [
          Self.source(of: .warning) { told.yield(.warning) },
          Self.source(of: .critical) { told.yield(.critical) },
        ]
      }

      private static func source(
        of event: DispatchSource.MemoryPressureEvent, _ body: @escaping @Sendable () -> Void
      ) -> any DispatchSourceMemoryPressure {
        let source = DispatchSource.makeMemoryPressureSource(eventMask: event)
        source.setEventHandler(handler: body)
        source.activate()
        return source
      }
    #else
      private var base = MemoryPolls().makeAsyncIterator()

      init() {}
    #endif

    /// Waits for the next level.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The level, or `nil` once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Level? {
      await base.next(isolation: actor)
    }
  }
}
