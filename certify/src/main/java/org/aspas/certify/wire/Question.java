package org.aspas.certify.wire;

import org.jspecify.annotations.Nullable;

/** What a RESPONSE answers: an update or a read. Exactly one of the two is present. */
public record Question(
        @Nullable Signed<Request> update, @Nullable Read read) {
    static final Item<Question> ITEM = Item.array(items ->
            new Question(items.optional(Request.SIGNED, Question::update), items.optional(Read.ITEM, Question::read)));

    public Question {
        if ((update == null) == (read == null)) {
            throw new IllegalArgumentException("a question is an update or a read");
        }
    }

    public static Question of(Signed<Request> update) {
        return new Question(update, null);
    }

    public static Question of(Read read) {
        return new Question(null, read);
    }
}
