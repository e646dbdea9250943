extension CompactWriter {
  /// Where a nested value is written: here, or by a writer of its own.
  ///
  /// The container that it is in must be the innermost one, and its entry begun.
  func nest() -> (writer: CompactWriter, frame: CompactFrame.Reference) {
    guard output.pointee.isDetaching, failure == nil else { return (self, push(isValue: false)) }
    let index = output.pointee.frames.count
    let writer = CompactWriter(
      table, userInfo, path: path(to: index), depth: output.pointee.frames[index - 1].depth)
    writer.output.pointee.isDetaching = true
    output.pointee.hasDetached = true
    detached.append((output.pointee.bytes.count, writer))
    return (writer, writer.push(isValue: false))
  }

  /// A frame for what follows where something has gone wrong, so that nothing can be thrown.
  func nestAfterFailure(_ error: any Error) -> (
    writer: CompactWriter, frame: CompactFrame.Reference
  ) {
    fail(error)
    let writer = CompactWriter(table, userInfo, path: outerPath, depth: outerDepth)
    writer.fail(error)
    return (writer, writer.push(isValue: false))
  }

  /// Puts what other writers have written in its place.
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
