import Testing
import UIKitSimulator

@MainActor
struct ControlTests {
    /// A controller that shows one view.
    private func show(_ view: UIView) -> Shown {
        let controller = UIViewController()
        let shown = Shown(controller)
        controller.view.addSubview(view)
        return shown
    }

    @Test func aSwitchChangesByAFingerAndSaysSo() {
        let question = UISwitch()
        let shown = show(question)
        var heard = 0
        question.addAction(UIAction { _ in heard += 1 }, for: .valueChanged)
        question.setOn(true, animated: true)
        #expect(heard == 0 && question.isOn)
        question.sendTap()
        #expect(heard == 1 && !question.isOn)
        question.isEnabled = false
        question.sendTap()
        #expect(heard == 1 && shown.faults.isEmpty)
    }

    @Test func aSegmentIsChosen() {
        let segments = UISegmentedControl(items: ["Delivery", "Pick-up"])
        let shown = show(segments)
        var heard: [Int] = []
        segments.addAction(UIAction { _ in heard.append(segments.selectedSegmentIndex) }, for: .valueChanged)
        #expect(segments.selectedSegmentIndex == UISegmentedControl.noSegment && segments.numberOfSegments == 2)
        #expect(shown.screen.tap("Pick-up") && shown.screen.tap("Pick-up") && shown.screen.tap("Delivery"))
        #expect(heard == [1, 0], "the same one again is no change")
        segments.insertSegment(withTitle: "Post", at: 9, animated: false)
        segments.setEnabled(false, forSegmentAt: 2)
        #expect(!shown.screen.tap("Post") && !segments.isEnabledForSegment(at: 2) && segments.titleForSegment(at: 2) == "Post")
        segments.setTitle("Mail", forSegmentAt: 2)
        #expect(shown.screen.texts == ["Delivery", "Pick-up", "Mail"])
        segments.removeAllSegments()
        #expect(segments.numberOfSegments == 0 && segments.selectedSegmentIndex == -1)
    }

    @Test func numbersStayWithinWhatIsAllowed() {
        let (slider, stepper, bar) = (UISlider(), UIStepper(), UIProgressView(progressViewStyle: .bar))
        let controller = UIViewController()
        let shown = Shown(controller)
        for view in [slider, stepper, bar] { controller.view.addSubview(view) }
        slider.maximumValue = 10
        slider.sendValue(12)
        #expect(slider.value == 10)
        slider.setValue(-1, animated: false)
        #expect(slider.value == 0)
        var heard = 0
        stepper.addAction(UIAction { _ in heard += 1 }, for: .valueChanged)
        stepper.maximumValue = 2
        for _ in 0..<3 { stepper.sendStep() }
        #expect(stepper.value == 2 && heard == 2)
        stepper.wraps = true
        stepper.sendStep()
        #expect(stepper.value == 0)
        stepper.sendStep(up: false)
        #expect(stepper.value == 2 && heard == 4)
        bar.setProgress(1.5, animated: true)
        #expect(bar.progress == 1 && bar.progressViewStyle == .bar && shown.faults.isEmpty)
    }

    @Test func aListIsPulledDown() {
        let scroll = UIScrollView()
        let shown = show(scroll)
        let wheel = UIRefreshControl()
        var heard = 0
        wheel.addAction(UIAction { _ in heard += 1 }, for: .valueChanged)
        scroll.refreshControl = wheel
        wheel.sendPull()
        wheel.sendPull()
        #expect(heard == 1 && wheel.isRefreshing && wheel.superview === scroll, "one that turns already is not pulled")
        wheel.endRefreshing()
        wheel.beginRefreshing()
        #expect(heard == 1 && wheel.isRefreshing)
        scroll.refreshControl = nil
        #expect(wheel.superview == nil && shown.faults.isEmpty)
    }

    final class Scrolled: NSObject, UIScrollViewDelegate {
        var offsets: [CGFloat] = []
        func scrollViewDidScroll(_ scrollView: UIScrollView) { offsets.append(scrollView.contentOffset.y) }
    }

    @Test func scrollingIsTold() {
        let (scroll, heard) = (UIScrollView(), Scrolled())
        scroll.delegate = heard
        scroll.setContentOffset(CGPoint(x: 0, y: 10), animated: true)
        scroll.contentOffset = CGPoint(x: 0, y: 10)
        scroll.contentOffset.y = 20
        #expect(heard.offsets == [10, 20])
    }

    @Test func aButtonHasPicturesAndAConfiguration() {
        var look = UIButton.Configuration.filled()
        look.title = "Pay"
        look.image = UIImage(systemName: "creditcard")
        var taps = 0
        let button = UIButton(configuration: look, primaryAction: UIAction { _ in taps += 1 })
        let shown = show(button)
        #expect(shown.screen.tap("Pay") && taps == 1 && button.currentImage != nil)
        button.configuration?.title = "Pay again"
        #expect(button.currentTitle == "Pay again" && button.titleLabel?.text == "Pay again")
        button.setTitle("Paid", for: .normal)
        #expect(button.configuration?.title == "Paid" && !shown.screen.tap("Pay"))

        let plain = UIButton(type: .custom)
        let (off, on) = (UIImage(named: "off"), UIImage(named: "on"))
        plain.setImage(off, for: .normal)
        plain.setImage(on, for: .selected)
        plain.setBackgroundImage(on, for: .normal)
        plain.setAttributedTitle(NSAttributedString(string: "Agree"), for: .normal)
        #expect(plain.currentImage === off && plain.imageView?.image === off && plain.backgroundImage(for: .selected) === on)
        plain.isSelected = true
        #expect(plain.currentImage === on && plain.currentTitle == "Agree" && plain.currentAttributedTitle?.string == "Agree")
        #expect(plain.currentTitleColor == .white)
    }

    @Test func aMenuIsChosenFrom() {
        var chosen: [String] = []
        let button = UIButton(type: .system)
        button.setTitle("Bank", for: .normal)
        button.menu = UIMenu(
            title: "Banks",
            children: [
                UIAction(title: "A") { chosen.append($0.title) }, UIAction(title: "B", attributes: .disabled) { chosen.append($0.title) },
            ])
        button.showsMenuAsPrimaryAction = true
        let shown = show(button)
        #expect(shown.screen.tap("Bank") && chosen.isEmpty)
        #expect(button.sendChoice("A") && !button.sendChoice("B") && !button.sendChoice("C") && chosen == ["A"])
        #expect(button.menu?.title == "Banks" && button.menu?.children.count == 2)
    }

    @Test func aTapOnAViewIsAGesture() {
        let label = UILabel()
        label.text = "Terms"
        let shown = show(label)
        let receiver = Receiver("terms")
        let gesture = UITapGestureRecognizer(target: receiver, action: "terms")
        label.addGestureRecognizer(gesture)
        #expect(!shown.screen.tap("Terms"), "a label is not touched unless its app says so")
        label.isUserInteractionEnabled = true
        #expect(
            shown.screen.tap("Terms") && receiver.received == ["terms"] && receiver.senders.first as? UITapGestureRecognizer === gesture)
        gesture.addTarget(receiver, action: "other")
        shown.run { _ = gesture.sendGesture() }
        #expect(shown.faults == [.selectorNotTaken] && receiver.received.count == 2)
        gesture.removeTarget(receiver, action: nil)
        shown.run { _ = gesture.sendGesture() }
        #expect(receiver.received.count == 2)
        let other = UIView()
        other.addGestureRecognizer(gesture)
        #expect(label.gestureRecognizers?.isEmpty == true && gesture.view === other)
        gesture.isEnabled = false
        #expect(!gesture.sendGesture() && gesture.state == .possible)
        other.removeGestureRecognizer(gesture)
        #expect(gesture.view == nil)
    }

    final class Picky: NSObject, UIGestureRecognizerDelegate {
        func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { false }
    }

    @Test func aDelegateRefusesAGesture() {
        let view = UIView()
        let (gesture, picky) = (UILongPressGestureRecognizer(), Picky())
        view.addGestureRecognizer(gesture)
        #expect(gesture.sendGesture())
        gesture.delegate = picky
        #expect(!gesture.sendGesture())
    }

    @Test func changesAreDoneWhenTheCallReturns() {
        let view = UIView()
        var heard: [String] = []
        UIView.animate(withDuration: 0.3, animations: { view.alpha = 0 }, completion: { heard.append("faded \($0)") })
        UIView.animate(withDuration: 0.3, delay: 1, options: [.curveEaseIn]) { view.transform = CGAffineTransform(scaleX: 2, y: 2) }
        UIView.animate(withDuration: 1, delay: 0, usingSpringWithDamping: 1, initialSpringVelocity: 1) { view.frame.size.width = 5 }
        UIView.transition(with: view, duration: 1, options: .transitionCrossDissolve, animations: { view.isHidden = true })
        UIView.performWithoutAnimation { heard.append("still") }
        #expect(view.alpha == 0 && view.transform.a == 2 && view.bounds.width == 5 && view.isHidden && heard == ["faded true", "still"])
        #expect(CGAffineTransform(rotationAngle: 0) == .identity && CGAffineTransform(translationX: 3, y: 4).ty == 4)
    }
}
