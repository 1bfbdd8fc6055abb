import Foundation

/// What a reader's hands do: real events, which the browser takes for those of a mouse, a keyboard and
/// fingers.
extension Browser {
    /// Clicks the middle of the element of that selector.
    func click(_ selector: String) throws {
        try click(
            at:
                "(() => { const e = document.querySelector(\(Self.quoted(selector))); "
                + "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return "
                + "[b.x + b.width / 2, b.y + b.height / 2] })()")
    }

    /// Clicks where the expression says, in pixels of the window.
    func click(at expression: String) throws {
        let place = try place(expression)
        for type in ["mouseMoved", "mousePressed", "mouseReleased"] {
            try call(
                "Input.dispatchMouseEvent",
                [
                    "type": type, "x": place.x, "y": place.y, "button": "left",
                    "buttons": type == "mousePressed" ? 1 : 0, "clickCount": 1,
                ])
        }
        try settle()
    }

    /// Moves the pointer to the place that an expression returns.
    func hover(at expression: String) throws {
        let place = try place(expression)
        try call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": place.x, "y": place.y])
        try settle()
    }

    /// A key by its name, such as `ArrowDown`, or a character.
    func press(_ key: String) throws {
        var parameters: [String: Any] = ["type": "keyDown", "key": key]
        if key.count == 1 { parameters["text"] = key }
        if key == "Enter" { parameters["text"] = "\r" }
        try call("Input.dispatchKeyEvent", parameters)
        try call("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
        try settle()
    }

    func type(_ text: String) throws {
        try call("Input.insertText", ["text": text])
        try settle()
    }

    /// Turns the wheel over the middle of the element.
    func scroll(_ selector: String, by amount: Double) throws {
        let place = try place(Self.middle(of: selector))
        try call(
            "Input.dispatchMouseEvent",
            ["type": "mouseWheel", "x": place.x, "y": place.y, "deltaX": 0, "deltaY": amount])
        try settle()
    }

    /// Drags the middle of the element to the right, or down.
    func drag(_ selector: String, by amount: Double, down: Double = 0, shift: Bool = false) throws {
        let place = try place(Self.middle(of: selector))
        for (type, share) in [
            ("mousePressed", 0.0), ("mouseMoved", 0.3), ("mouseMoved", 1), ("mouseReleased", 1),
        ] {
            try call(
                "Input.dispatchMouseEvent",
                [
                    "type": type, "x": place.x + share * amount, "y": place.y + share * down,
                    "button": "left", "buttons": 1, "clickCount": 1, "modifiers": shift ? 8 : 0,
                ])
        }
        try settle()
    }

    /// Puts two fingers on the middle of the element, and moves them apart.
    func pinch(_ selector: String) throws {
        let place = try place(Self.middle(of: selector))
        for (type, distance) in [("touchStart", 20.0), ("touchMove", 30), ("touchMove", 45), ("touchEnd", 0)]
        {
            let points = [(-1.0, 1), (1.0, 2)].map { side, id in
                ["x": place.x + side * distance, "y": place.y, "id": Double(id)]
            }
            try call(
                "Input.dispatchTouchEvent", ["type": type, "touchPoints": type == "touchEnd" ? [] : points])
        }
        try settle()
    }

    /// Puts a finger on the middle of the element, leaves it there for so long, and moves it by pixels.
    func swipe(
        _ selector: String, by amount: Double, down: Double = 0, after rest: TimeInterval = 0
    ) throws {
        let place = try place(Self.middle(of: selector))
        func touch(_ type: String, _ share: Double) throws {
            let point = ["x": place.x + share * amount, "y": place.y + share * down]
            try call(
                "Input.dispatchTouchEvent", ["type": type, "touchPoints": type == "touchEnd" ? [] : [point]])
        }
        try touch("touchStart", 0)
        Thread.sleep(forTimeInterval: rest)
        if amount != 0 || down != 0 { for share in [0.2, 0.5, 1] { try touch("touchMove", share) } }
        try touch("touchEnd", 1)
        try settle()
    }

    private func place(_ expression: String) throws -> (x: Double, y: Double) {
        guard let place = try evaluate(expression) as? [NSNumber], place.count == 2 else {
            throw Failure(description: "\(expression) is no place")
        }
        return (place[0].doubleValue, place[1].doubleValue)
    }

    private static func middle(of selector: String) -> String {
        "(() => { const e = document.querySelector(\(quoted(selector))); e.scrollIntoView({block: "
            + "'center'}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height "
            + "/ 2] })()"
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }
}
