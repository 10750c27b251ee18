package org.aspas.crdt.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueTest {

    private static final long SEED = 11;

    @Test
    void kindsComeFirstInTheOrder() {
        List<Value> ascending = List.of(
                Value.of(Long.MIN_VALUE),
                Value.of(-1),
                Value.of(Long.MAX_VALUE),
                Value.of(""),
                Value.of("a"),
                Value.of("ab"),
                Value.of("b"),
                Value.of("\uFFFF"),
                Value.of("\uD800\uDC00"),
                Value.of(new byte[0]),
                Value.of(new byte[] {1}),
                Value.of(new byte[] {1, 0}),
                Value.of(new byte[] {(byte) 0x80}),
                Value.sequence(List.of()),
                Value.sequence(List.of(Value.of(1))),
                Value.sequence(List.of(Value.of(1), Value.of(0))),
                Value.sequence(List.of(Value.of(2))));
        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertThat(Integer.signum(ascending.get(i).compareTo(ascending.get(j))))
                        .as("%s and %s", ascending.get(i), ascending.get(j))
                        .isEqualTo(Integer.compare(i, j));
                assertThat(ascending.get(i).equals(ascending.get(j))).isEqualTo(i == j);
            }
        }
    }

    @Test
    void textsAreOrderedAsTheirUtf8Bytes() {
        Random random = new Random(SEED);
        for (int run = 0; run < 5000; run++) {
            String a = randomText(random);
            String b = randomText(random);
            int byBytes =
                    Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
            assertThat(Integer.signum(Value.of(a).compareTo(Value.of(b))))
                    .as("seed %d run %d", SEED, run)
                    .isEqualTo(Integer.signum(byBytes));
        }
    }

    @Test
    void textsWithUnpairedSurrogatesAreRefused() {
        assertThatThrownBy(() -> Value.of("a\uD800")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Value.of("\uDC00\uD800")).isInstanceOf(IllegalArgumentException.class);
        assertThat(Value.Text.isWellFormed("\uD83D\uDE00")).isTrue();
        assertThat(Value.Text.isWellFormed("\uDE00")).isFalse();
    }

    @Test
    void aTextIsWellFormedWhenNoneOfItsCodePointsIsASurrogate() {
        String[] parts = {"a", "\u00e9", "\uD83D", "\uDE00"};
        for (int choice = 0; choice < Math.pow(parts.length, 6); choice++) {
            StringBuilder text = new StringBuilder();
            for (int left = choice; left > 0; left /= parts.length) {
                text.append(parts[left % parts.length]);
            }
            boolean expected = text.codePoints()
                    .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
            assertThat(Value.Text.isWellFormed(text.toString()))
                    .as("choice " + choice)
                    .isEqualTo(expected);
        }
    }

    @Test
    void blobsAreCopiedAndComparedByContent() {
        byte[] bytes = {1, 2};
        Value.Blob blob = new Value.Blob(bytes);
        bytes[0] = 9;
        blob.toBytes()[1] = 9;
        assertThat(blob).isEqualTo(Value.of(new byte[] {1, 2})).hasSameHashCodeAs(Value.of(new byte[] {1, 2}));
        assertThat(blob).hasToString("0x0102");
        assertThat(blob.length()).isEqualTo(2);
    }

    @Test
    void sequencesAndOperationsAreCopied() {
        List<Value> items = new ArrayList<>(List.of(Value.of(1)));
        Value sequence = Value.sequence(items);
        Operation operation = new Operation("add", items);
        items.clear();
        assertThat(sequence).isEqualTo(Value.sequence(List.of(Value.of(1)))).hasToString("[1]");
        assertThat(operation).isEqualTo(Operation.of("add", Value.of(1)));
        assertThat(operation.argument()).isEqualTo(Value.of(1));
        assertThatThrownBy(() -> operation.arguments().add(Value.of(2)))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void operationsAreOrderedByNameAndArguments() {
        assertThat(Operation.of("add", Value.of(2))).isLessThan(Operation.of("remove", Value.of(1)));
        assertThat(Operation.of("add", Value.of(1))).isLessThan(Operation.of("add", Value.of(2)));
        assertThat(Operation.of("add")).isLessThan(Operation.of("add", Value.of(1)));
    }

    private static String randomText(Random random) {
        int[] alphabet = {'a', 0x7F, 0xE9, 0x7FF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }
}
