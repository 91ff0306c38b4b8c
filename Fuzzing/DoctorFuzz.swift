import ApplePayDiagnosis
import BillfoldDiagnosis
import Foundation
import UnionPayDiagnosis

private let instant = Date(timeIntervalSince1970: 1_780_000_000)
private let diagnosticians: [any Diagnostician] = [ApplePayDiagnostician(at: instant), UnionPayDiagnostician(instant: instant)]

/// The entry point that libFuzzer calls: the doctor's files, which belong together and are of any kind. A NUL byte, which no
/// text has, parts them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDoctor(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let files = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    let artifacts = files.enumerated().map { Artifact(name: "file\($0)", bytes: Array($1)) }
    let diagnosis = Diagnosis(of: artifacts, by: diagnosticians)
    _ = DiagnosisText(usesColour: false).render(diagnosis)
    return 0
}
