package org.aspas.crdt.type;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.aspas.crdt.polog.PoLog;
import org.aspas.crdt.polog.Redundancy;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * The type {@code aw-set}: {@code add e}, {@code remove e} and {@code clear} (arXiv:1710.04469, figure 16).
 *
 * <p>R: removals and clears are not stored. R0 and R1 are one relation: an operation makes a stored addition
 * redundant if it has observed it and is a clear or names the same element. What remains for each present
 * element is one entry for each addition that no later operation on the element has observed.
 *
 * <p>An element is an integer, a text or a byte string of at most {@value #MAX_ELEMENT_BYTES} bytes.
 */
final class AwSetType implements DataType {

    /** The greatest size of a text (in UTF-8) or byte string element, in bytes. */
    static final int MAX_ELEMENT_BYTES = 4096;

    static final String ADD = "add";
    private static final String REMOVE = "remove";
    private static final String CLEAR = "clear";

    static final Redundancy RELATIONS = new Redundancy() {
        @Override
        public boolean redundant(Operation arriving) {
            return !arriving.name().equals(ADD);
        }

        @Override
        public boolean makesRedundant(Operation arriving, Operation stored, boolean storedObserved) {
            return storedObserved
                    && (arriving.name().equals(CLEAR) || arriving.argument().equals(stored.argument()));
        }

        @Override
        public Optional<Value> part(Operation operation) {
            return operation.arguments().stream().findFirst();
        }
    };

    @Override
    public String name() {
        return "aw-set";
    }

    @Override
    public Crdt empty() {
        return new AwSet(new PoLog(RELATIONS));
    }

    @Override
    public Optional<String> check(Operation operation) {
        if (operation.name().equals(CLEAR)) {
            return operation.arguments().isEmpty() ? Optional.empty() : Optional.of("clear takes no argument");
        }
        if (!operation.name().equals(ADD) && !operation.name().equals(REMOVE)) {
            return Optional.of("aw-set has the operations add, remove and clear only");
        }
        if (operation.arguments().size() != 1) {
            return Optional.of(operation.name() + " takes exactly one argument");
        }
        return isElement(operation.argument())
                ? Optional.empty()
                : Optional.of("an element is an integer, or a text or byte string of at most " + MAX_ELEMENT_BYTES
                        + " bytes");
    }

    @Override
    public boolean grows(Operation operation) {
        return operation.name().equals(ADD);
    }

    @Override
    public Optional<Crdt> decode(Value state) {
        return AwSet.decode(state);
    }

    static boolean isElement(Value value) {
        if (value instanceof Value.Text text) {
            return text.value().length() <= MAX_ELEMENT_BYTES
                    && text.value().getBytes(StandardCharsets.UTF_8).length <= MAX_ELEMENT_BYTES;
        }
        if (value instanceof Value.Blob blob) {
            return blob.length() <= MAX_ELEMENT_BYTES;
        }
        return value instanceof Value.Int;
    }
}
