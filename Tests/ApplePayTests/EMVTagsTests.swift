import ApplePay
import Foundation
import Testing

@Suite struct EMVTagsTests {
    /// The UnionPay sample of the vectors.
    private static let sample = Array(Data(base64Encoded: "nyYIESIzRFVmd4ifNgIAAYECACGDEAARIjNEVWZ3iJmqu8zd7v8=")!)

    @Test func unionPaySampleIsTakenApart() throws {
        let tags = try EMVTags(Self.sample)
        #expect(tags.objects.map(\.tag) == ["9F26", "9F36", "81", "83"])
        #expect(tags["9F36"] == [0, 1])
        #expect(tags["9F26"] == [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88])
        #expect(tags.objects[0].name == "Application Cryptogram")
    }

    @Test func encodedObjectsReadBackWithLongLengths() throws {
        for count in [0, 1, 127, 128, 255, 256, 70_000 & 0xFFFF] {
            let value = [UInt8](repeating: 7, count: count)
            let tags = try EMVTags(EMVTags.encode([(tag: [0x9F, 0x10], value: value)]))
            #expect(tags["9F10"] == value)
        }
    }

    @Test func truncationIsRefused() {
        let complete: Set<Int> = [0, 11, 16, 20, 38]
        for length in 0..<Self.sample.count where !complete.contains(length) {
            #expect(throws: ApplePayError(code: .malformedPayload, reason: "")) { try EMVTags(Array(Self.sample.prefix(length))) }
        }
    }

    @Test func indefiniteLengthIsRefused() {
        #expect(throws: ApplePayError(code: .malformedPayload, reason: "")) { try EMVTags([0x9F, 0x26, 0x80, 0, 0]) }
    }
}
