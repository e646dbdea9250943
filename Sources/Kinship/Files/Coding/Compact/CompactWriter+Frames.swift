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

  /// Completes the innermost values.
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

  /// Writes how long a container has become: there is one byte for that so far.
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

  /// Makes a container the innermost one: those in it are complete.
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

  /// Takes back an entry that could not be encoded.
  func rollBack(to position: Int, frames count: Int) {
    output.pointee.bytes.count = position
    while let last = detached.last, last.position >= position { detached.removeLast() }
    output.pointee.frames.shrink(to: count)
    updateTop()
    if count > 0, output.pointee.frames[count - 1].state == .unkeyed {
      output.pointee.frames[count - 1].count -= 1
    }
  }

  /// Begins a container at the frame that asks for it; what is asked for again is there already.
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
