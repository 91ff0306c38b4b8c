package import BillfoldWeb

extension FaultMenu {
    /// What the console offers for orders of somebody's own, on a journey's pages.
    package static func orders(of journey: FaultJourney) -> FaultMenu {
        FaultMenu(
            party: "line to your program", path: "/api/sandbox/faults/\(journey.rawValue)", control: "/faults/orders/\(journey.rawValue)",
            choices: journey.faults.map { fault in
                let delay = [.replyLate, .notificationLate].contains(fault) ? #","delayMilliseconds":2000"# : ""
                return Choice(
                    fault.rawValue, title: fault.title, effect: fault.effect(in: journey),
                    plan: #"{"faults":["\#(fault.rawValue)"]\#(delay)}"#)
            }, delayKey: "delayMilliseconds", correlation: journey.correlation)
    }
}

extension OrderFault {
    fileprivate var title: String {
        switch self {
        case .requestLost: "Lose a request"
        case .requestRefused: "Refuse a request"
        case .replyLost: "Lose an answer"
        case .replyLate: "Delay an answer"
        case .replyCorrupt: "Damage an answer’s signature"
        case .replyUnsigned: "Leave out an answer’s signature"
        case .notificationLost: "Lose a notification"
        case .notificationLate: "Delay a notification"
        case .notificationDoubled: "Send a notification twice"
        case .notificationCorrupt: "Damage a notification’s signature"
        case .notificationUnsigned: "Leave out a notification’s signature"
        case .result8000, .result6004, .result6002, .result5000: "Paid, and the app is told \(toldCode ?? "")"
        case .result4000: "Refuse the payment: 4000"
        }
    }

    fileprivate func effect(in journey: FaultJourney) -> String {
        switch moment {
        case .request: "The next request about the order is not done."
        case .reply: "The next request about the order is done."
        case .notification:
            journey == .acceptApplePay || journey == .provisionCard
                ? "The next webhook or message about it." : "The next notification about it; the one after that is right."
        case .result: "The merchant’s server hears the truth."
        case .payment: "No money moves. The next try is taken."
        }
    }
}
