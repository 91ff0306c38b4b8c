import IAPConnect
import Testing

struct IAPConnectExample {
    // Example
    /// What the SDK is initialised with: the app's own page for what goes wrong.
    @MainActor
    func configuration(errorPage: String) -> IAPConnectInitConfig {
        let extensions = GRVExtensionDelegate()
        extensions.uiProvider.errorPageURL = errorPage
        let configuration = IAPConnectInitConfig()
        configuration.riverExtensionDelegate = extensions
        return configuration
    }
    // End

    @MainActor @Test func example() {
        #expect(configuration(errorPage: "error.html").riverExtensionDelegate?.uiProvider.errorPageURL == "error.html")
    }
}
