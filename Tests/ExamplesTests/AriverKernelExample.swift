import AriverKernel
import Testing

struct AriverKernelExample {
    // Example
    /// The points of a loyalty card, which only this super app knows: `my.call('points')`.
    final class PointsHandler: RVKJsApiHandler {
        override func handler(_ data: [AnyHashable: Any], context: RVKContext, callback: @escaping RVKJsApiResponseCallbackBlock) {
            callback(["points": 120])
        }
    }
    // End

    @Test func example() {
        #expect((PointsHandler.self as AnyClass) is RVKJsApiHandler.Type)
    }
}
