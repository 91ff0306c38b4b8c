import Alipay
import Testing

struct AlipayGenerationTests {
    @Test func bothGenerationsHaveAName() {
        #expect(AlipayGeneration(rawValue: "legacy") == .legacy)
        #expect(AlipayGeneration(rawValue: "modern") == .modern)
    }
}
