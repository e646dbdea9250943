/// Writes values in the compact form, in the order in which they are encoded.
///
/// Containers are written in place, one within the other, and so are their values. Each container
/// has a frame as long as it may be written to; the last frame is that of the innermost container.
/// If a value writes to several nested containers alternately, it is encoded again with
/// ``CompactOutput/isDetaching``.
package final class CompactWriter {
  /// The state that changes with every value, behind a pointer, because access to a class's
  /// properties is checked at run time.
  let output: UnsafeMutablePointer<CompactOutput>
  let table: KeyTable
  let leaves: LeafTypes
  let userInfo: [CodingUserInfoKey: any Sendable]

  /// The error of a call that cannot throw.
  private(set) var failure: EncodingError?

  var detached: [(position: Int, writer: CompactWriter)] = []
  let outerPath: [any CodingKey]
  let outerDepth: UInt8

  init(
    _ table: KeyTable, _ userInfo: [CodingUserInfoKey: any Sendable],
    path: [any CodingKey] = [], depth: UInt8 = 0
  ) {
    self.table = table
    leaves = table.leaves
    self.userInfo = userInfo
    outerPath = path
    outerDepth = depth
    output = .allocate(capacity: 1)
    output.initialize(to: CompactOutput())
  }

  deinit {
    output.deinitialize(count: 1)
    output.deallocate()
  }

  /// Encodes a value as the whole output.
  func encode<Value: Encodable>(_ value: Value) throws {
    reset()
    if writeLeaf(value) {
      if let failure { throw failure }
      return
    }
    defer { seal() }
    let frame = push(isValue: true)
    try value.encode(to: CompactEncoder(writer: self, frame: frame))
    let state = output.pointee.frames[0].state
    popFrames(to: 0)
    if let failure { throw failure }
    guard state != .awaiting, state != .single else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "\(Value.self) encodes nothing"))
    }
  }

  private func reset() {
    output.pointee.bytes.count = 0
    // Skip this otherwise: access to these properties is checked at run time.
    if output.pointee.hasDetached || output.pointee.hasFailed {
      detached.removeAll()
      failure = nil
      output.pointee.hasDetached = false
      output.pointee.hasFailed = false
    }
    output.pointee.isInterleaved = false
    seal()
  }

  /// Invalidates all containers so far.
  private func seal() {
    output.pointee.frames.shrink(to: 0)
    output.pointee.serial &+= 1
    output.pointee.top = .init(index: 0, serial: output.pointee.serial)
  }

  /// Records the first error of a call that cannot throw.
  func fail(_ error: any Error) {
    guard failure == nil else { return }
    failure = error as? EncodingError
    output.pointee.hasFailed = true
  }
}

/// The output of a writer, and the values in progress.
struct CompactOutput: ~Copyable {
  var bytes = PlainBuffer<UInt8>(repeating: 0, count: 0)
  var frames = PlainBuffer(repeating: CompactFrame(), count: 0)
  /// The last frame.
  var top = CompactFrame.Reference(index: 0, serial: 0)
  /// The last serial that was used.
  var serial: UInt32 = 0
  var hasFailed = false
  /// Whether a nested container had a writer of its own.
  var hasDetached = false
  /// Whether nested containers have writers of their own until their outer container is complete.
  var isDetaching = false
  /// Whether a nested container was written to after its outer container was.
  var isInterleaved = false
}

/// A value in progress.
struct CompactFrame: BitwiseCopyable {
  enum State: UInt8 {
    /// No container was requested yet.
    case awaiting
    /// A container for one value was requested.
    case single
    /// That value was written.
    case written
    case keyed
    case unkeyed
  }

  /// A container's reference to its frame: frames are reused, but a serial is unique.
  struct Reference: BitwiseCopyable, Equatable {
    var index: UInt32
    var serial: UInt32
  }

  var serial: UInt32 = 0
  var state = State.awaiting
  /// Whether a value's own `encode(to:)` is running, as opposed to an open nested container.
  var isValue = false
  /// The nesting depth of this container.
  var depth: UInt8 = 0
  /// The number of elements in an unkeyed container.
  var count = 0
  /// The offset of the value.
  var start = 0
  /// The offset of a container's last entry.
  var entry = 0
}

extension CompactWriter {
  /// Begins a value.
  @inline(__always)
  func push(isValue: Bool) -> CompactFrame.Reference {
    let index = output.pointee.frames.count
    output.pointee.serial &+= 1
    let serial = output.pointee.serial
    var frame = CompactFrame()
    frame.serial = serial
    frame.isValue = isValue
    frame.depth = index == 0 ? outerDepth : output.pointee.frames[index - 1].depth
    frame.start = output.pointee.bytes.count
    output.pointee.frames.grow(to: index + 1, with: frame)
    let reference = CompactFrame.Reference(index: UInt32(truncatingIfNeeded: index), serial: serial)
    output.pointee.top = reference
    return reference
  }

  /// Ends the innermost values.
  @inline(__always)
  func popFrames(to count: Int) {
    while output.pointee.frames.count > count { popFrame() }
    updateTop()
  }

  @inline(__always)
  private func updateTop() {
    let count = output.pointee.frames.count
    output.pointee.top =
      count == 0
      ? .init(index: 0, serial: 0)
      : .init(
        index: UInt32(truncatingIfNeeded: count - 1),
        serial: output.pointee.frames[count - 1].serial)
  }

  private func popFrame() {
    let frame = output.pointee.frames[output.pointee.frames.count - 1]
    if output.pointee.isDetaching { attachDetached(from: frame.start) }
    switch frame.state {
    case .written: break
    case .awaiting, .single:
      output.pointee.bytes.reserve(2)
      output.pointee.bytes.appendReserved(CompactTag.keyed)
      output.pointee.bytes.appendReserved(0)
    case .keyed, .unkeyed: patchLength(of: frame)
    }
    output.pointee.frames.shrink(to: output.pointee.frames.count - 1)
  }

  /// Writes the length of a container, for which one byte was reserved.
  private func patchLength(of frame: CompactFrame) {
    let start = frame.start + 2
    let length = output.pointee.bytes.count - start
    if length < 0x80 {
      output.pointee.bytes[frame.start + 1] = UInt8(length)
      return
    }
    var size = 1
    while length >> (7 * size) > 0 { size += 1 }
    output.pointee.bytes.insertGap(size - 1, at: start)
    var rest = length
    for index in 0..<size {
      output.pointee.bytes[frame.start + 1 + index] =
        UInt8(rest & 0x7F) | (index + 1 < size ? 0x80 : 0)
      rest >>= 7
    }
  }

  /// Makes a container the innermost one, and ends those in it.
  @inline(__always)
  func focus(_ frame: CompactFrame.Reference) throws {
    if frame != output.pointee.top { try focusOuter(frame) }
  }

  @inline(never)
  private func focusOuter(_ frame: CompactFrame.Reference) throws {
    if let failure { throw failure }
    let index = Int(frame.index)
    guard index < output.pointee.frames.count, output.pointee.frames[index].serial == frame.serial
    else {
      output.pointee.isInterleaved = true
      throw misuse(
        "a container is written to after it was complete", at: output.pointee.frames.count - 1)
    }
    for inner in (index + 1)..<output.pointee.frames.count
    where output.pointee.frames[inner].isValue {
      throw misuse("a container is written to while a value in it is being encoded", at: inner)
    }
    popFrames(to: index + 1)
  }

  /// Removes an entry that could not be encoded.
  func rollBack(to position: Int, frames count: Int) {
    output.pointee.bytes.count = position
    while let last = detached.last, last.position >= position { detached.removeLast() }
    output.pointee.frames.shrink(to: count)
    updateTop()
    if count == 0 { return }
    switch output.pointee.frames[count - 1].state {
    case .unkeyed: output.pointee.frames[count - 1].count -= 1
    case .written: output.pointee.frames[count - 1].state = .single
    case .awaiting, .single, .keyed: break
    }
  }

  /// Begins a container at the frame that requests it; does nothing if it exists already.
  func open(_ state: CompactFrame.State, at frame: CompactFrame.Reference) {
    do {
      try focus(frame)
    } catch {
      fail(error)
      return
    }
    let index = Int(frame.index)
    if output.pointee.frames[index].state == state { return }
    guard output.pointee.frames[index].state == .awaiting else {
      return fail(misuse("containers of two kinds are asked for", at: index))
    }
    output.pointee.frames[index].state = state
    if state == .single { return }
    output.pointee.frames[index].depth += 1
    if output.pointee.frames[index].depth > CompactCoder.depthLimit {
      fail(misuse("containers lie more than \(CompactCoder.depthLimit) deep", at: index))
    }
    output.pointee.bytes.reserve(2)
    output.pointee.bytes.appendReserved(state == .keyed ? CompactTag.keyed : CompactTag.unkeyed)
    output.pointee.bytes.appendReserved(0)
  }
}

extension CompactWriter {
  /// Begins an entry of a keyed container; returns its offset.
  @inline(__always)
  func beginEntry<Key: CodingKey>(
    _ key: Key, _ codes: KeyCodeTables.Codes?, in frame: CompactFrame.Reference
  ) throws -> Int {
    try focus(frame)
    let start = output.pointee.bytes.count
    let code = table.code(of: key, codes)
    if code != 0 {
      output.pointee.bytes.reserve(10)
      if code < 0x80 {
        output.pointee.bytes.appendReserved(UInt8(truncatingIfNeeded: code))
      } else {
        output.pointee.bytes.appendVarint(Int(code))
      }
    } else {
      appendName(key.stringValue)
    }
    output.pointee.frames[Int(frame.index)].entry = start
    return start
  }

  private func appendName(_ name: String) {
    var name = name
    name.withUTF8 { text in
      output.pointee.bytes.reserve(1)
      output.pointee.bytes.appendReserved(0)
      output.pointee.bytes.appendVarint(text.count)
      output.pointee.bytes.append(UnsafeRawBufferPointer(text))
    }
  }

  /// Begins an element of an unkeyed container, or the value of a single-value container; returns
  /// its offset.
  @inline(__always)
  func beginValue(in frame: CompactFrame.Reference) throws -> Int {
    try focus(frame)
    let index = Int(frame.index)
    switch output.pointee.frames[index].state {
    case .unkeyed: output.pointee.frames[index].count += 1
    case .single: output.pointee.frames[index].state = .written
    case .awaiting, .written, .keyed:
      throw failure ?? misuse("a second value is encoded where there can be one", at: index)
    }
    return output.pointee.bytes.count
  }

  /// Writes a value that may have containers, and removes its entry if that fails.
  func writeValue<Value: Encodable>(_ value: Value, since start: Int) throws {
    if output.pointee.hasFailed, let failure { throw failure }
    let count = output.pointee.frames.count
    let frame = push(isValue: true)
    do {
      try value.encode(to: CompactEncoder(writer: self, frame: frame))
      popFrames(to: count)
    } catch {
      rollBack(to: start, frames: count)
      throw error
    }
  }
}

extension CompactWriter {
  /// Writes a value that has no containers of its own.
  ///
  /// The most common types are compared one by one, which is faster than any lookup. If the type is
  /// known at compile time, no comparison remains.
  ///
  /// - Returns: Whether it is such a value.
  @inline(__always)
  func writeLeaf<Value>(_ value: Value) -> Bool {
    if Value.self == Int.self {
      write(identical(value, as: Int.self))
    } else if Value.self == String.self {
      write(identical(value, as: String.self))
    } else if Value.self == Bool.self {
      identical(value, as: Bool.self).write(to: self)
    } else if Value.self == Double.self {
      write(identical(value, as: Double.self))
    } else {
      guard let leaf = leaves.leaf(Value.self) else { return false }
      write(value, as: leaf)
    }
    return true
  }

  private func write<Value, Leaf: CompactLeaf>(_ value: Value, as type: Leaf.Type) {
    // The runtime has confirmed that the types are the same.
    identical(value, as: type).write(to: self)
  }

  func writeNull() { write(tag: CompactTag.null) }

  @inline(__always)
  func write(tag: UInt8) {
    output.pointee.bytes.reserve(1)
    output.pointee.bytes.appendReserved(tag)
  }

  @inline(__always)
  func write(_ tag: UInt8, _ content: UnsafeRawBufferPointer) {
    write(tag: tag)
    output.pointee.bytes.append(content)
  }

  func write(data: UnsafeRawBufferPointer, as tag: UInt8 = CompactTag.data) {
    write(tag: tag)
    output.pointee.bytes.appendVarint(data.count)
    output.pointee.bytes.append(data)
  }

  func write(decimal digits: String) {
    var digits = digits
    digits.withUTF8 { write(data: UnsafeRawBufferPointer($0), as: CompactTag.decimal) }
  }

  func write(_ value: String) {
    var value = value
    value.withUTF8 { text in
      if text.count < 64 {
        output.pointee.bytes.reserve(64)
        output.pointee.bytes.appendReserved(
          CompactTag.shortString | UInt8(truncatingIfNeeded: text.count))
      } else {
        write(tag: CompactTag.string)
        output.pointee.bytes.appendVarint(text.count)
      }
      output.pointee.bytes.append(UnsafeRawBufferPointer(text))
    }
  }
}

extension CompactWriter {
  @inline(__always)
  func write<Number: FixedWidthInteger>(_ value: Number) {
    output.pointee.bytes.reserve(10)
    if value >= 0 {
      writeMagnitude(UInt64(truncatingIfNeeded: value))
    } else {
      writeLong(UInt64(truncatingIfNeeded: ~value), CompactTag.negative)
    }
  }

  @inline(__always)
  private func writeMagnitude(_ value: UInt64) {
    if value <= UInt64(CompactTag.lastSmall) {
      output.pointee.bytes.appendReserved(UInt8(truncatingIfNeeded: value))
    } else if value < 1 << 13 {
      output.pointee.bytes.appendReserved(
        CompactTag.twoBytes | UInt8(truncatingIfNeeded: value >> 8))
      output.pointee.bytes.appendReserved(UInt8(truncatingIfNeeded: value))
    } else if value < 1 << 20 {
      output.pointee.bytes.appendReserved(
        CompactTag.threeBytes | UInt8(truncatingIfNeeded: value >> 16))
      output.pointee.bytes.appendReserved(UInt16(truncatingIfNeeded: value), count: 2)
    } else {
      writeLong(value, CompactTag.positive)
    }
  }

  @inline(__always)
  private func writeLong(_ value: UInt64, _ tag: UInt8) {
    let size = max(1, (71 - value.leadingZeroBitCount) / 8)
    output.pointee.bytes.appendReserved(tag + UInt8(truncatingIfNeeded: size - 1))
    output.pointee.bytes.appendReserved(value, count: size)
  }

  func writeWide<Number: FixedWidthInteger>(_ value: Number) {
    if let small = UInt64(exactly: value) {
      write(small)
    } else if let small = Int64(exactly: value) {
      write(small)
    } else {
      write(tag: value < 0 ? CompactTag.negativeWide : CompactTag.wide)
      output.pointee.bytes.reserve(16)
      output.pointee.bytes.appendReserved(
        UInt128(truncatingIfNeeded: value < 0 ? ~value : value), count: 16)
    }
  }

  /// Writes a number without a fraction as an integer, and one with few digits as a `Float`.
  func write(_ value: Double) {
    if let integer = exactInteger(value) {
      write(integer)
    } else if Double(Float(value)) == value {
      writeBits(of: Float(value))
    } else {
      output.pointee.bytes.reserve(9)
      output.pointee.bytes.appendReserved(CompactTag.double)
      output.pointee.bytes.appendReserved(value.bitPattern, count: 8)
    }
  }

  func write(_ value: Float) {
    if let integer = exactInteger(Double(value)) {
      write(integer)
    } else {
      writeBits(of: value)
    }
  }

  private func writeBits(of value: Float) {
    output.pointee.bytes.reserve(5)
    output.pointee.bytes.appendReserved(CompactTag.float)
    output.pointee.bytes.appendReserved(value.bitPattern, count: 4)
  }

  /// The integer that equals a number; `nil` if there is none, and for −0.
  @inline(__always)
  private func exactInteger(_ value: Double) -> Int? {
    guard abs(value) < 0x1p53 else { return nil }
    let integer = Int(value)
    return Double(integer).bitPattern == value.bitPattern ? integer : nil
  }
}

extension CompactWriter {
  /// Returns an encoder for a nested value, which `begin` starts in its container.
  ///
  /// Calls that cannot throw use it. If `begin` throws, the error fails the whole value, and the
  /// encoder writes nowhere.
  func nest(_ begin: () throws -> Void) -> CompactEncoder {
    do {
      try begin()
      return nestAfterBeginning()
    } catch {
      fail(error)
      let writer = CompactWriter(table, userInfo, path: outerPath, depth: outerDepth)
      writer.fail(error)
      return CompactEncoder(writer: writer, frame: writer.push(isValue: false))
    }
  }

  /// Returns an encoder over this writer, or over a separate one.
  ///
  /// The outer container must be the innermost one.
  private func nestAfterBeginning() -> CompactEncoder {
    guard output.pointee.isDetaching, failure == nil else {
      return CompactEncoder(writer: self, frame: push(isValue: false))
    }
    let index = output.pointee.frames.count
    let writer = CompactWriter(
      table, userInfo, path: path(to: index), depth: output.pointee.frames[index - 1].depth)
    writer.output.pointee.isDetaching = true
    output.pointee.hasDetached = true
    detached.append((output.pointee.bytes.count, writer))
    return CompactEncoder(writer: writer, frame: writer.push(isValue: false))
  }

  /// Inserts the output of other writers in its place.
  func attachDetached(from position: Int) {
    while let last = detached.last, last.position >= position {
      detached.removeLast()
      let writer = last.writer
      writer.popFrames(to: 0)
      if let failure = writer.failure { fail(failure) }
      let size = writer.output.pointee.bytes.count
      output.pointee.bytes.insertGap(size, at: last.position)
      UnsafeMutableRawPointer(output.pointee.bytes.base + last.position)
        .copyMemory(from: writer.output.pointee.bytes.base, byteCount: size)
    }
  }
}

extension CompactWriter {
  func misuse(_ description: String, at index: Int) -> EncodingError {
    EncodingError.invalidValue(
      Optional<Never>.none as Any,
      .init(codingPath: path(to: index), debugDescription: description))
  }

  /// The path to a frame: the current entries of the frames around it.
  func path(to index: Int) -> [any CodingKey] {
    var path = outerPath
    for outer in 0..<max(0, min(index, output.pointee.frames.count)) {
      if let key = currentKey(of: outer) { path.append(key) }
    }
    return path
  }

  func path(to frame: CompactFrame.Reference) -> [any CodingKey] {
    path(to: Int(frame.index))
  }

  /// The key of the last entry in a frame.
  private func currentKey(of index: Int) -> PathKey? {
    let frame = output.pointee.frames[index]
    switch frame.state {
    case .keyed: return PathKey(stringValue: key(at: frame.entry))
    case .unkeyed: return PathKey(intValue: max(0, frame.count - 1))
    case .awaiting, .single, .written: return nil
    }
  }

  /// Decodes a key from the bytes.
  private func key(at position: Int) -> String {
    var position = position
    let code = varint(at: &position)
    if code > 0 { return table.keys[code - 1] }
    let length = varint(at: &position)
    return String(
      decoding: UnsafeBufferPointer(start: output.pointee.bytes.base + position, count: length),
      as: UTF8.self)
  }

  private func varint(at position: inout Int) -> Int {
    var (value, shift) = (0, 0)
    repeat {
      value |= Int(output.pointee.bytes[position] & 0x7F) << shift
      shift += 7
      position += 1
    } while output.pointee.bytes[position - 1] >= 0x80
    return value
  }
}
