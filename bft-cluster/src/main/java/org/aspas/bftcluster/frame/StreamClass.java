package org.aspas.bftcluster.frame;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The descriptor of a class as it stands in a stream.
 *
 * @param name the class's binary name
 * @param flags the flags of the specification, §6.4.2
 * @param fields its own fields in the order of the stream
 * @param parent the descriptor of its nearest serializable superclass
 */
record StreamClass(
        String name,
        long serialVersion,
        int flags,
        List<Field> fields,
        @Nullable StreamClass parent) {
    static final int WRITE_METHOD = 0x01;
    static final int SERIALIZABLE = 0x02;
    static final int EXTERNALIZABLE = 0x04;
    static final int BLOCK_DATA = 0x08;

    /**
     * One field.
     *
     * @param signature its type for arrays and objects
     */
    record Field(char code, String name, @Nullable String signature) {
        boolean isObject() {
            return code == 'L' || code == '[';
        }
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    boolean isArray() {
        return name.startsWith("[");
    }
}
