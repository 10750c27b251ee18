package org.aspas.emulab.testbed.fill;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SplittableRandom;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * What a deployment is filled with. The updates come in this order: one for each object, one for each element of the one large
 * set, and then increments of {@value #COUNTERS} counters. Immutable.
 *
 * @param objects how many sets with one text each, {@code object-0} and so on; from 0
 * @param objectBytes the bytes of each text, 1 to 60,000
 * @param elements how many elements the set {@code large} has; from 0
 * @param elementBytes the bytes of each of these texts, 1 to 60,000; 0 for the integers from 0 on
 * @param entries how many updates there are at all; at least as many as objects and elements
 * @param seed of the texts
 */
public record FillPlan(long objects, int objectBytes, long elements, int elementBytes, long entries, long seed) {
    /** How many counters the remaining updates share. */
    public static final int COUNTERS = 16;

    public static final String LARGE = "large";

    private static final String SET = "aw-set";
    private static final int MOST_BYTES = 60_000;

    public FillPlan {
        if (objects < 0 || elements < 0 || entries < objects + elements) {
            throw new IllegalArgumentException(
                    entries + " updates make no " + objects + " objects and " + elements + " elements");
        }
        if (objectBytes < 1 || objectBytes > MOST_BYTES || elementBytes < 0 || elementBytes > MOST_BYTES) {
            throw new IllegalArgumentException("texts have 1 to " + MOST_BYTES + " bytes");
        }
    }

    record Update(String key, String type, Operation operation) {}

    /** The update of a place, from 0. */
    Update update(long place) {
        if (place < objects) {
            return new Update("object-" + place, SET, Operation.of("add", text(place, objectBytes)));
        }
        if (place < objects + elements) {
            long element = place - objects;
            Value value = elementBytes == 0 ? Value.of(element) : text(element, elementBytes);
            return new Update(LARGE, SET, Operation.of("add", value));
        }
        return new Update("counter-" + place % COUNTERS, "pn-counter", Operation.of("increment", Value.of(1)));
    }

    /** The longest value of an update, in bytes. */
    int mostBytes() {
        return Math.max(objects > 0 ? objectBytes : 0, elements > 0 ? elementBytes : 0);
    }

    /** A text that begins with its number and continues with random characters, so that it does not compress. */
    private Value text(long number, int bytes) {
        byte[] random = new byte[bytes];
        new SplittableRandom(seed * 31 + number).nextBytes(random);
        String begin = number + " ";
        String rest = new String(Base64.getEncoder().encode(random), StandardCharsets.US_ASCII);
        return Value.of((begin + rest).substring(0, bytes));
    }
}
