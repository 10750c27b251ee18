package org.aspas.appserver.http;

import java.util.Arrays;
import java.util.Optional;

/** What a query may name, and what it may say. One name means the same in every endpoint. */
enum QueryParameter {
    /** Of which state a value is wanted. */
    LEVEL("level", "local or certified"),
    /** Whether a certified answer has the bytes that prove it. */
    PROOF("proof", "true or false"),
    /** Whether to wait for a certificate that covers the update. */
    CONFIRM("confirm", "true or false"),
    /** One element of a set, in JSON. */
    ELEMENT("element", "an element in JSON"),
    /** Where a page begins. */
    PAGE("page", "first, or what the page before names as next"),
    /** Of which certificate a page is. */
    CERTIFICATE("certificate", "a number, with page"),
    /** An object. The only parameter that may be given several times. */
    KEY("key", "an object's key, may be repeated"),
    /** How the keys begin that are wanted. */
    PREFIX("prefix", "the beginning of keys"),
    /** Whether integers of objects are numbers, or texts for readers whose numbers have fewer than 64 bits. */
    INTEGERS("integers", "number or text"),
    /** The fields of the answer that are wanted. */
    FIELDS("fields", "names of fields of the answer, with commas between them"),
    /** Whether each condition is wanted. */
    VERBOSE("verbose", "nothing");

    private final String label;
    private final String values;

    QueryParameter(String label, String values) {
        this.label = label;
        this.values = values;
    }

    /** The parameter as a query names it; empty when there is none of that name. */
    static Optional<QueryParameter> of(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /** Its name in a query. */
    String label() {
        return label;
    }

    /** Its name, and in words what it may be. */
    String described() {
        return label + " (" + values + ")";
    }

    /** Whether a query may name it several times. */
    boolean repeats() {
        return this == KEY;
    }
}
