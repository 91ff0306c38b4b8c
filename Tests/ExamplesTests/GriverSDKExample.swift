import GriverSDK
import Testing

struct GriverSDKExample {
    // Example
    /// Opens a mini program's address; the code of what is wrong with it, or nil.
    @MainActor
    func open(_ address: String, on navigation: UINavigationController) -> Int? {
        do {
            let page = try GRVAppContainerLaunch.sharedInstance().openApp(withUrl: address, startupParams: nil)
            navigation.pushViewController(page, animated: true)
            return nil
        } catch {
            return (error as NSError).code
        }
    }
    // End

    @MainActor @Test func example() {
        GRVAppContainerLaunch.$current.withValue(GRVAppContainerLaunch()) {
            let navigation = UINavigationController(rootViewController: UIViewController())
            #expect(open("ftp://tea.example", on: navigation) == 90002)
            #expect(open("https://tea.example?_ariver_appid=2171020000000001", on: navigation) == 90003)
        }
    }
}
