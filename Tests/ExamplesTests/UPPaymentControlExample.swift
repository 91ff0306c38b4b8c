import Foundation
import Testing
import UPPaymentControl

struct UPPaymentControlExample {
    // Example
    /// What the app says when the customer is back. No word of the client says that money moved.
    func word(in url: URL) -> String {
        var word = "none"
        UPPaymentControl.default().handlePaymentResult(url) { code, _ in word = code ?? "none" }
        return word
    }
    // End

    @Test func example() throws {
        let url = try #require(URL(string: "teashop://uppayresult?code=success"))
        UPPaymentControl.$current.withValue(UPPaymentControl()) {
            #expect(word(in: url) == "success")
            #expect(word(in: URL(fileURLWithPath: "/")) == "none")
        }
    }
}
