package org.aspas.client.core;

import java.util.Optional;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.KeyRule;
import org.aspas.certify.wire.ReadPart;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a call of the application, which may give anything: the one check of it. A client makes it in the caller's thread
 * before the call reaches the core, and the core makes it again before a number is taken. Each method returns one sentence for
 * people, or empty for a call that may be sent.
 */
public final class CallCheck {
    private CallCheck() {}

    public static Optional<String> update(
            @Nullable String key, @Nullable String type, @Nullable Operation operation, int keyBytes) {
        Optional<String> fault = object(key, type, keyBytes);
        if (fault.isPresent()) {
            return fault;
        }
        if (operation == null || operation.name() == null) {
            return Optional.of("the operation is null");
        }
        return known(type).flatMap(found -> found.check(operation));
    }

    /**
     * Checks a read.
     *
     * @param part the part that is asked for; null for all
     */
    public static Optional<String> read(
            @Nullable String key, @Nullable String type, boolean certified, @Nullable ReadPart part, int keyBytes) {
        Optional<String> fault = object(key, type, keyBytes);
        return fault.isPresent() || part == null ? fault : known(type).flatMap(found -> part(found, certified, part));
    }

    public static Optional<String> certificate(@Nullable CertificateNumber number) {
        if (number == null) {
            return Optional.of("the number of the certificate is null");
        }
        return number.value() < 0
                ? Optional.of("certificates have numbers from 1 on, and 0 is for the newest: " + number)
                : Optional.empty();
    }

    private static Optional<String> object(@Nullable String key, @Nullable String type, int keyBytes) {
        return KeyRule.fault(key, keyBytes)
                .or(() -> known(type).isPresent() ? Optional.empty() : Optional.of("there is no datatype " + type));
    }

    private static Optional<DataType> known(@Nullable String type) {
        return type == null ? Optional.empty() : DataTypes.byName(type);
    }

    private static Optional<String> part(DataType type, boolean certified, ReadPart part) {
        if (type.empty().elements().isEmpty()) {
            return Optional.of("an object of type " + type.name() + " has no elements");
        }
        Value element = part.element();
        if (element != null) {
            return DataTypes.isElement(element)
                    ? Optional.empty()
                    : Optional.of("an element is an integer, or a text or byte string of at most 4,096 bytes");
        }
        return certified ? certificate(part.certificate()) : Optional.of("pages are of certified elements");
    }
}
