import ACGriverCore
import Testing

struct ACGriverCoreExample {
    // Example
    /// How a shop opens its mini program: with the bar, and with what the customer tapped.
    @MainActor
    func startup(from place: String) -> GRVStartupParams {
        let params = GRVStartupParams()
        params.showTitleBar = true
        params.query = "from=\(place)"
        return params
    }
    // End

    @MainActor @Test func example() {
        #expect(startup(from: "home").query == "from=home")
    }
}
