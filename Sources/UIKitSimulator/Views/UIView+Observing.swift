public import Foundation

#if !canImport(ObjectiveC)
    /// A view whose properties an app can observe by a key path. See the page of the module for those that tell of their changes.
    @MainActor
    @preconcurrency
    public protocol KeyValueObserved: UIView {}

    extension UIView: KeyValueObserved {}

    extension KeyValueObserved {
        /// Calls back when a property has another value than before. It is looked at whenever one of those changes that the view tells of,
        /// and compared: a value that is not `Equatable` is never told.
        ///
        /// - Parameters:
        ///   - keyPath: The property, such as `\.contentSize`.
        ///   - options: Which values are handed over, and whether the present one is told at once.
        ///   - changeHandler: Called on the main thread, after the change.
        /// - Returns: What has to be kept: without it nothing is observed.
        @preconcurrency
        public func observe<Value>(
            _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
            changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
        ) -> NSKeyValueObservation {
            let last = Last(self[keyPath: keyPath])
            // Safe: a key path is not changed, and this one is read on the main thread alone.
            nonisolated(unsafe) let keyPath = keyPath
            let observation = NSKeyValueObservation { [weak self] in
                guard let self else { return }
                let now = self[keyPath: keyPath]
                guard let before = last.replace(by: now) else { return }
                changeHandler(self, NSKeyValueObservedChange(options, from: before, to: now))
            }
            observers.add(observation)
            if options.contains(.initial) { changeHandler(self, NSKeyValueObservedChange(options, from: nil, to: last.value)) }
            return observation
        }
    }

    /// The value that an observer was told of last.
    @MainActor
    private final class Last<Value> {
        private(set) var value: Value

        init(_ value: Value) { self.value = value }

        /// - Returns: The value before, or nil where it is the same.
        func replace(by now: Value) -> Value? {
            guard let type = Value.self as? any Equatable.Type, !isEqual(now, as: type) else { return nil }
            defer { value = now }
            return value
        }

        private func isEqual<Comparable: Equatable>(_ now: Value, as type: Comparable.Type) -> Bool {
            value as? Comparable == now as? Comparable
        }
    }

    extension UIView {
        /// Has an observer called back when a property has another value than before. The observer is not kept alive. A property that is
        /// not observed by its name here is a ``ScreenFault``.
        ///
        /// - Parameters:
        ///   - observer: Whose `observeValue(forKeyPath:of:change:context:)` is called: a view or a controller.
        ///   - keyPath: The property's name in Objective-C.
        ///   - options: Which values are handed over, and whether the present one is told at once.
        ///   - context: Handed over as it is.
        public func addObserver(
            _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
        ) {
            guard let look = observedValue(keyPath), let responder = observer as? UIResponder else {
                return SimulatedScreen.current.record(.propertyNotObserved, "\(type(of: self)): \(keyPath)")
            }
            // Safe: it is handed over as it is, on the main thread alone.
            nonisolated(unsafe) let context = context
            let last = Last(look())
            let tell: @MainActor @Sendable (AnyHashable??, AnyHashable?) -> Void = { [weak self, weak responder] old, new in
                guard let self, let responder else { return }
                var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
                if options.contains(.new) { change[.newKey] = new?.base ?? NSNull() }
                if options.contains(.old), let old { change[.oldKey] = old?.base ?? NSNull() }
                responder.observeValue(forKeyPath: keyPath, of: self, change: change, context: context)
            }
            let observation = NSKeyValueObservation {
                let now = look()
                if let before = last.replace(by: now) { tell(.some(before), now) }
            }
            observers.add(observation, of: observer, key: keyPath, context: context)
            if options.contains(.initial) { tell(nil, last.value) }
        }

        /// Takes an observer away. One that is not there is a ``ScreenFault``: the app crashes on a device.
        public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) { remove(observer, keyPath) { _ in true } }

        /// Takes an observer away that was added with this context. See `removeObserver(_:forKeyPath:)`.
        public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
            remove(observer, keyPath) { $0 == context }
        }

        private func remove(_ observer: NSObject, _ key: String, where isMeant: (UnsafeMutableRawPointer?) -> Bool) {
            guard !observers.remove(observer, key, where: isMeant) else { return }
            SimulatedScreen.current.record(.propertyNotObserved, "\(type(of: self)): \(key)")
        }

        private func observedValue(_ key: String) -> (@MainActor @Sendable () -> AnyHashable?)? {
            switch key {
            case "frame": { [weak self] in self?.frame }
            case "bounds": { [weak self] in self?.bounds }
            case "hidden": { [weak self] in self?.isHidden }
            case "alpha": { [weak self] in self?.alpha }
            default: observers.value(key)
            }
        }
    }
#endif
