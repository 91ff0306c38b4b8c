import BillfoldConcurrency
public import Foundation

#if !canImport(ObjectiveC)
    /// What an observer wants to be told, and when.
    public struct NSKeyValueObservingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let new = NSKeyValueObservingOptions(rawValue: 1 << 0)
        public static let old = NSKeyValueObservingOptions(rawValue: 1 << 1)
        public static let initial = NSKeyValueObservingOptions(rawValue: 1 << 2)
    }

    /// How a property changed: here always by being set.
    public enum NSKeyValueChange: UInt, Sendable {
        case setting = 1
        case insertion, removal, replacement
    }

    /// What is in the dictionary of a change.
    public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
        public static let newKey = NSKeyValueChangeKey(rawValue: "new")
        public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    }

    /// A property's change. The values are there if they were asked for.
    public struct NSKeyValueObservedChange<Value> {
        public let kind: NSKeyValueChange
        public let newValue: Value?
        public let oldValue: Value?
        public let indexes: IndexSet?
        public let isPrior: Bool

        init(_ options: NSKeyValueObservingOptions, from old: Value?, to new: Value) {
            (kind, indexes, isPrior) = (.setting, nil, false)
            newValue = options.contains(.new) ? new : nil
            oldValue = options.contains(.old) ? old : nil
        }
    }

    extension NSKeyValueObservedChange: Sendable where Value: Sendable {}

    /// An app that observes a property. It is over when this object is let go of.
    public final class NSKeyValueObservation: NSObject, Sendable {
        private let look: Locked<(@MainActor @Sendable () -> Void)?>

        init(_ look: @escaping @MainActor @Sendable () -> Void) { self.look = Locked(look) }

        /// Ends it.
        public func invalidate() { look.withLock { $0 = nil } }

        @MainActor func tell() { look.withLock { $0 }?() }
    }
#endif

/// Who observes one object. No runtime sees a property change here: the object says that something of it may have, and each observer looks whether
/// its own property did.
@MainActor
package final class KeyValueObservers {
    #if !canImport(ObjectiveC)
        private struct Named {
            weak var observer: NSObject?
            var key: String
            var context: UnsafeMutableRawPointer?
            var observation: NSKeyValueObservation
        }

        private struct Watched {
            weak var observation: NSKeyValueObservation?
        }

        private var watched: [Watched] = []
        private var named: [Named] = []

        func add(_ observation: NSKeyValueObservation) {
            watched.removeAll { $0.observation == nil }
            watched.append(Watched(observation: observation))
        }

        /// Keeps the observation of an observer by a property's name, until that is taken away.
        func add(_ observation: NSKeyValueObservation, of observer: NSObject, key: String, context: UnsafeMutableRawPointer?) {
            add(observation)
            named.removeAll { $0.observer == nil }
            named.append(Named(observer: observer, key: key, context: context, observation: observation))
        }

        /// Takes away the latest of an observer under a name.
        ///
        /// - Returns: False where there is none.
        func remove(_ observer: NSObject, _ key: String, where isMeant: (UnsafeMutableRawPointer?) -> Bool) -> Bool {
            guard let place = named.lastIndex(where: { $0.observer === observer && $0.key == key && isMeant($0.context) }) else {
                return false
            }
            named.remove(at: place).observation.invalidate()
            return true
        }
    #endif

    private var keys: [String: @MainActor () -> AnyHashable?] = [:]

    /// Names properties that are observed by their names.
    package func know(_ keys: [String: @MainActor () -> AnyHashable?]) { self.keys.merge(keys) { _, new in new } }

    func value(_ key: String) -> (@MainActor () -> AnyHashable?)? { keys[key] }

    /// Looks what has changed, and tells who observes it.
    package func tell() {
        #if !canImport(ObjectiveC)
            for each in watched { each.observation?.tell() }
        #endif
    }
}
