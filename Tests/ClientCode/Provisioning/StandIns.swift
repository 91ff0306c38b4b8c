// Stands in for what a bank's app has from others: an observable sequence, a log, the bank's own client, its link to the watch, a store.
import Foundation

/// Ends a subscription. Here a sequence ends by itself.
final class Disposable {
    func disposed(by bag: DisposeBag) { bag.add(self) }
}

/// Keeps subscriptions as long as their owner lives.
final class DisposeBag {
    private var kept: [Disposable] = []
    func add(_ disposable: Disposable) { kept.append(disposable) }
}

/// One answer, or an error, some time after somebody subscribes.
final class Observable<Element> {
    private let work: (@escaping (Result<Element, Error>) -> Void) -> Void

    init(_ work: @escaping (@escaping (Result<Element, Error>) -> Void) -> Void) { self.work = work }

    func map<Other>(_ change: @escaping (Element) throws -> Other) -> Observable<Other> {
        let work = self.work
        return Observable<Other> { done in
            work { result in done(Result { try change(result.get()) }) }
        }
    }

    func subscribe(onNext: ((Element) -> Void)? = nil, onError: ((Error) -> Void)? = nil) -> Disposable {
        work { result in
            switch result {
            case .success(let element): onNext?(element)
            case .failure(let error): onError?(error)
            }
        }
        return Disposable()
    }
}

/// The lines of the app's log.
final class Log: @unchecked Sendable {
    static let shared = Log()
    private let lock = NSLock()
    private var held: [String] = []

    func info(_ text: String) { lock.withLock { held.append("info " + text) } }
    func error(_ text: String) { lock.withLock { held.append("error " + text) } }
    var lines: [String] { lock.withLock { held } }
}

/// What the bank answered instead of a value.
struct BankError: Error, CustomNSError {
    static var errorDomain: String { "bank.api" }
    var errorCode: Int
}

/// The bank's own client: JSON goes to a path, and the member `value` of what comes back is the answer. It calls back on a thread of its own.
final class BankAPI: @unchecked Sendable {
    static let shared = BankAPI()

    typealias Transport = @Sendable (_ path: String, _ body: Data) -> (status: Int, body: Data)?

    private let lock = NSLock()
    private var carrier: Transport?

    var transport: Transport? {
        get { lock.withLock { carrier } }
        set { lock.withLock { carrier = newValue } }
    }

    func post(_ path: String, _ body: [String: Any]) -> Observable<[String: Any]> {
        Observable { done in
            let transport = self.transport
            let sent = try? JSONSerialization.data(withJSONObject: body)
            // Unsafe: the thread has it alone from here on.
            nonisolated(unsafe) let done = done
            Thread.detachNewThread {
                guard let answer = transport?(path, sent ?? Data()) else { return done(.failure(URLError(.notConnectedToInternet))) }
                guard answer.status == 200 else { return done(.failure(BankError(errorCode: answer.status))) }
                let json = (try? JSONSerialization.jsonObject(with: answer.body)) as? [String: Any]
                guard let value = json?["value"] as? [String: Any] else { return done(.failure(BankError(errorCode: -1))) }
                done(.success(value))
            }
        }
    }
}

/// What the bank's app knows of the watch, from WatchConnectivity.
final class WatchLink: @unchecked Sendable {
    static let shared = WatchLink()
    private let lock = NSLock()
    private var paired = false

    var isPaired: Bool {
        get { lock.withLock { paired } }
        set { lock.withLock { paired = newValue } }
    }
}

/// Texts that outlive the app, such as the keychain keeps.
protocol KeptTexts: AnyObject {
    subscript(key: String) -> String? { get set }
}
