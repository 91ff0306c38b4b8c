import ApplePay
import BillfoldJSON

/// The entry point that libFuzzer calls: what a shopper's app sends, and what is inside a token once it is open. Bodies of
/// requests are read by the same JSON reader.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzToken(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let value = try? JSONReader.read(bytes) {
        // What was read once reads the same when it is written.
        let written = JSONWriter.write(value)
        precondition((try? JSONReader.read(written)).map { JSONWriter.write($0) } == written)
    }
    _ = try? PaymentToken(bytes)
    _ = try? PaymentPayload(bytes)
    _ = try? PaymentRequest(bytes)
    _ = try? EMVTags(bytes)
    return 0
}
