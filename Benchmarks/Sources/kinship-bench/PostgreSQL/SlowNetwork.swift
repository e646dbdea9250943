import Dispatch
import Foundation
import Synchronization

/// Forwards a server's answers with a delay, as a network does.
final class SlowNetwork {
  let conninfo: String
  private let folder: String
  private let listener: Int32

  struct Unavailable: Error, CustomStringConvertible {
    let description: String
  }

  /// A socket of the same kind as the server's, in a folder of its own.
  init(to server: DatabaseServer, roundTrip: Duration) throws {
    folder = server.socket + "-slow"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    conninfo = server.conninfo.replacing(server.socket, with: folder)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let (listener, place) = (listener, server.socket)
    guard listener >= 0, Self.withAddress(folder, { bind(listener, $0, $1) == 0 }),
      listen(listener, 16) == 0
    else {
      throw Unavailable(description: "there is no socket in \(folder)")
    }
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(place, { connect(server, $0, $1) == 0 }) else {
          close(client)
          close(server)
          continue
        }
        let held = HeldBytes()
        Thread.detachNewThread { Self.pass(from: client) { Self.write($0, to: server) } }
        Thread.detachNewThread {
          Self.pass(from: server) { held.add($0, due: .now + roundTrip) }
          held.end()
        }
        Thread.detachNewThread {
          while let (due, bytes) = held.next() {
            Thread.sleep(forTimeInterval: (due - .now) / .seconds(1))
            guard Self.write(bytes, to: client) else { break }
          }
          for socket in [client, server] {
            shutdown(socket, Int32(SHUT_RDWR))
            close(socket)
          }
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func withAddress(
    _ folder: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(folder)/.s.PGSQL.5432".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Reads until a connection ends, or what it says is not taken.
  private static func pass(from socket: Int32, _ take: (ArraySlice<UInt8>) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while case let count = read(socket, &buffer, buffer.count), count > 0 {
      guard take(buffer[..<count]) else { return }
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Bytes that were sent and have not arrived, in order.
private final class HeldBytes: Sendable {
  private let queue = Mutex<[(due: ContinuousClock.Instant, bytes: ArraySlice<UInt8>)?]>([])
  private let count = DispatchSemaphore(value: 0)

  func add(_ bytes: ArraySlice<UInt8>, due: ContinuousClock.Instant) -> Bool {
    let bytes = Array(bytes)[...]
    queue.withLock { $0.append((due, bytes)) }
    count.signal()
    return true
  }

  func end() {
    queue.withLock { $0.append(nil) }
    count.signal()
  }

  /// The next bytes, once there are any; nothing at the end.
  func next() -> (due: ContinuousClock.Instant, bytes: ArraySlice<UInt8>)? {
    count.wait()
    return queue.withLock { $0.removeFirst() }
  }
}
