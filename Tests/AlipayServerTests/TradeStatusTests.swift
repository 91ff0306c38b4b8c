import AlipayServer
import Testing

struct TradeStatusTests {
    @Test func aStatusIsReadFromItsWord() {
        #expect(TradeStatus(rawValue: "TRADE_SUCCESS") == .success)
        #expect(TradeStatus(rawValue: "trade_success") == nil)
    }
}
