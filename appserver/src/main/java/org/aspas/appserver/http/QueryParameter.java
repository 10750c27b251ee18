package org.aspas.appserver.http;

import java.util.Arrays;
import java.util.Optional;

/** What a query may name, and what it may say. One name means the same in every endpoint. */
enum QueryParameter {
    LEVEL("level", "local or certified"),
    /** Whether a certified answer has the bytes that prove it. */
    PROOF("proof", "true or false"),
    /** Whether to wait for a certificate that covers the update. */
    CONFIRM("confirm", "true or false"),
    ELEMENT("element", "an element in JSON"),
    PAGE("page", "first, or what the page before names as next"),
    /** Of which certificate a page is. */
    CERTIFICATE("certificate", "a number, with page"),
    /** An object. The only parameter that may be given several times. */
    KEY("key", "an object's key, may be repeated"),
    PREFIX("prefix", "the beginning of keys"),
    /** Whether integers of objects are numbers, or texts for readers whose numbers have fewer than 64 bits. */
    INTEGERS("integers", "number or text"),
    FIELDS("fields", "names of fields of the answer, with commas between them"),
    /** Whether each condition is wanted. */
    VERBOSE("verbose", "nothing");

    private final String label;
    private final String values;

    QueryParameter(String label, String values) {
        this.label = label;
        this.values = values;
    }

    static Optional<QueryParameter> of(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    String label() {
        return label;
    }

    String described() {
        return label + " (" + values + ")";
    }

    boolean repeats() {
        return this == KEY;
    }
}
