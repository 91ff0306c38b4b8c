import ACGriverCore

/// The points of a loyalty card, which only this super app knows: `my.call('points', { card })`.
class LoyaltyHandler: RVKJsApiHandler {
    static let points = ["7": 120, "8": 0]

    override func handler(_ data: [AnyHashable: Any], context: RVKContext, callback: @escaping RVKJsApiResponseCallbackBlock) {
        guard let card = data["card"] as? String, let points = LoyaltyHandler.points[card] else {
            callback(["error": 12, "errorMessage": "no such card"])
            return
        }
        callback(["points": points, "isGold": points > 100, "owner": "Ada"])
    }
}

/// In the place of the built-in one: this super app has toasts of its own.
class BrandedToastHandler: RVKJsApiHandler {
    override func handler(_ data: [AnyHashable: Any], context: RVKContext, callback: @escaping RVKJsApiResponseCallbackBlock) {
        super.handler(data, context: context) { _ in callback(["branded": true]) }
    }
}

enum Interfaces {
    static func configuration(plist path: String) -> GRVConfiguration {
        let grvConfig = GRVConfiguration()
        grvConfig.plistFilePathForExtraPlugins = path
        return grvConfig
    }
}
