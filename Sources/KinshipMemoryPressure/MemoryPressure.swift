#if canImport(Darwin)
  internal import Dispatch
#endif
internal import Kinship

/// How little memory is left, as an asynchronous sequence that tells it as long as it matters.
///
/// ```swift
/// let trimming = Task { await cache.trim(under: MemoryPressure()) }
/// ```
///
/// On Apple platforms it is what the system tells every process. On Linux it is what files say that
/// any process may read:
///
/// - How much the process and those of its control group use of their limit, in either version of
///   control groups, with the limits of the groups around it. From 80 % on that is a warning, and
///   from 90 % on it is critical. What the system can take back by itself, such as files that it
///   holds in memory, is not counted. A warning is told again after a second if it is still one,
///   and what is critical at each look.
/// - Of how much of a second anybody in the group had to wait for memory, or anybody on the machine
///   where that is not known of the group: pressure stall information. 10 % are a warning. It is
///   critical if all had to wait for so long.
///
/// It looks once a second, and more often where a limit is near: so often that who takes a gigabyte
/// in a second is seen before the next of these marks, but not more than fifty times a second.
/// Where there is neither a limit nor such information, it is silent. It ends when the task is
/// cancelled.
public struct MemoryPressure: AsyncSequence, Sendable {
  /// How little memory is left.
  public enum Level: Comparable, Hashable, Sendable, CaseIterable {
    /// It is getting less.
    case warning
    /// The process may be ended for want of it.
    case critical
  }

  /// How little memory is left.
  public typealias Element = Level
  /// It does not fail.
  public typealias Failure = Never

  /// Creates a sequence of what the system tells.
  public init() {}

  /// Starts to listen, or to look.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator() }

  /// Listens, or looks, for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    #if canImport(Darwin)
      private var base: AsyncStream<Level>.Iterator
      /// One for each level, which are cancelled when they are released.
      private let sources: [any DispatchSourceMemoryPressure]

      init() {
        // Who is slow hears of the last one only.
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
      private var base = MemoryLooks().makeAsyncIterator()

      init() {}
    #endif

    /// Waits for pressure.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The level, or `nil` once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Level? {
      await base.next(isolation: actor)
    }
  }
}
