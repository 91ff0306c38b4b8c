public import BillfoldJSON

/// What a host without a person does in a run: how calls are answered, and what happens on the page, step by step.
///
/// ```json
/// {
///   "appId": "2021000000000000", "authClientId": "merchant-1", "user": "u-1",
///   "features": ["auth", "payment"], "domains": ["api.merchant.example"],
///   "launch": {"page": "pages/index/index", "query": {"table": "7"}, "link": false},
///   "answers": {
///     "getAuthCode": [{"success": {"authCode": "code-1"}}],
///     "request": [{"match": {"url": "https://api.merchant.example/pay"}, "delay": 120, "success": {"status": 200, "data": {}}}],
///     "tradePay": [{"success": {"resultCode": "6001"}}, {"success": {"resultCode": "9000"}}]
///   },
///   "steps": [
///     {"tap": "onPay"}, {"wait": 1000}, {"event": "onInput", "with": [{"detail": {"value": "3"}}]}, {"hide": true}, {"show": true}
///   ]
/// }
/// ```
///
/// `HostScript+Reading.swift` has all members. Answers of one name are given in their order, and the last one again and again; one with `match` only to calls with those arguments.
public struct HostScript: Sendable {
    /// One answer.
    public struct Answer: Sendable {
        var match: JSONObject
        /// Milliseconds of the run's own clock.
        var delay: Double
        var answer: JSAPIAnswer

        public init(_ answer: JSAPIAnswer, match: JSONObject = [], delay: Double = 0) {
            self.match = match
            self.delay = delay
            self.answer = answer
        }
    }

    /// One thing that happens when nothing is left to do.
    public enum Step: Sendable {
        case event(String, [JSONValue], isTap: Bool, node: Int)
        case wait(Double)
        case hide
        case show
        case emit(String, JSONValue)
        case component(ComponentChange)
        case reopen(LaunchOptions)
    }

    public var identity = MiniProgramIdentity(appID: "mini-program", userID: "user")
    public var grant = MiniProgramGrant()
    public var launch = LaunchOptions()
    public var answers: [String: [Answer]] = [:]
    public var steps: [Step] = []

    /// A script that answers nothing, for a program that is opened and looked at.
    public init() {}
}
