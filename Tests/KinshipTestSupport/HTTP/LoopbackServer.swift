package import Foundation
internal import Synchronization

/// A small HTTP server on the loopback interface; a test decides what it answers, and when.
package final class LoopbackServer: Sendable {
  /// A request that has arrived.
  package struct Request: Sendable {
    package let method: String
    package let path: String
    package let query: [String: String]
    /// The headers, by their names in lower case.
    package let headers: [String: String]
    package let body: Data
  }

  /// An answer.
  package struct Response: Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: Data

    package init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
      (self.status, self.headers, self.body) = (status, headers, body)
    }
  }

  private struct SocketFailed: Error {
    let call: String
    let code: Int32
  }

  /// Answers a request, on a thread of its own; `nil` closes the connection without an answer.
  package typealias Handler = @Sendable (Request) -> Response?

  package let port: UInt16
  /// The socket that accepts connections, until it is closed.
  private let listener: Listener
  private let handler: Handler
  private let received = Mutex<[Request]>([])

  /// Starts a server.
  package init(_ handler: @escaping Handler) throws {
    self.handler = handler
    let (socket, port) = try Self.listen()
    self.port = port
    let listener = Listener(socket)
    self.listener = listener
    // Nobody waits for the thread: shutting the socket down ends it.
    Thread.detachNewThread { [weak self] in
      defer { listener.close() }
      while case let connection = accept(socket, nil, nil), connection >= 0 {
        Thread.detachNewThread { [weak self] in
          self?.serve(connection)
          close(connection)
        }
      }
    }
  }

  deinit { stop() }

  /// Refuses connections from now on.
  package func stop() { listener.shutDown() }

  private final class Listener: Sendable {
    private let socket: Mutex<Int32?>

    init(_ socket: Int32) { self.socket = Mutex(socket) }

    func shutDown() {
      socket.withLock { if let socket = $0 { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    func close() {
      socket.withLock { if let socket = $0.take() { _ = Foundation.close(socket) } }
    }
  }

  /// The address of the server.
  package var url: URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { preconditionFailure("a URL") }
    return url
  }

  /// The requests that have arrived, in order.
  package var requests: [Request] { received.withLock { $0 } }

  private func serve(_ connection: Int32) {
    guard let request = Self.request(from: connection) else { return }
    received.withLock { $0.append(request) }
    guard let response = handler(request) else { return }
    var head = "HTTP/1.1 \(response.status) Status\r\nConnection: close\r\n"
    head += response.status == 304 ? "" : "Content-Length: \(response.body.count)\r\n"
    for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
    let bytes = Array((head + "\r\n").utf8) + Array(response.body)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // The client has gone.
      if count <= 0 { return }
      sent += count
    }
  }

  private static func request(from connection: Int32) -> Request? {
    var bytes = Data()
    /// Reads until a condition holds for what has arrived.
    func read(until isEnough: () -> Bool) -> Bool {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while !isEnough() {
        let count = recv(connection, &chunk, chunk.count, 0)
        if count <= 0 { return false }
        bytes += chunk[..<count]
      }
      return true
    }
    let blank = Data("\r\n\r\n".utf8)
    guard read(until: { bytes.range(of: blank) != nil }), let end = bytes.range(of: blank) else {
      return nil
    }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let start = lines[0].split(separator: " ").map(String.init)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    guard read(until: { bytes.count >= end.upperBound + length }) else { return nil }
    let address = URLComponents(string: start[1])
    let items = address?.queryItems ?? []
    return Request(
      method: start[0], path: address?.path ?? "",
      query: Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }, headers: headers,
      body: bytes[end.upperBound...])
  }

  private static func listen() throws -> (Int32, UInt16) {
    func check(_ code: Int32, _ call: String) throws -> Int32 {
      if code < 0 { throw SocketFailed(call: call, code: errno) }
      return code
    }
    let listener = try check(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), "socket")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = try check(bind(listener, address, size), "bind")
        _ = try check(Glibc.listen(listener, 64), "listen")
        _ = try check(getsockname(listener, address, &size), "getsockname")
      }
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }
}
