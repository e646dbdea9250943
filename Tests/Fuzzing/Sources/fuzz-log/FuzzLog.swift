import FuzzingSupport
import Kinship

/// Writes some logs before fuzzing begins.
@_cdecl("LLVMFuzzerInitialize")
public func beginFuzzingLogs(
  _ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer
) -> CInt {
  writeSeeds { try await Seeds.make() }
  return 0
}

/// Opens a store whose files some bytes describe.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLog(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let trial = Trial(UnsafeBufferPointer(start: start, count: count)) else { return 0 }
  run { try await trial.run() }
  return 0
}
