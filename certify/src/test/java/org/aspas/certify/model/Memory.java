package org.aspas.certify.model;

import java.util.Map;
import java.util.TreeMap;

/** What a running signer remembers beside its record, as the inputs that it remembers it from. */
final class Memory {
    final TreeMap<Integer, Word.Stating> heard = new TreeMap<>();
    final Map<String, Word.Stating> questions = new TreeMap<>();
    Word.Proof unsigned = Word.Proof.NONE;

    Memory copy() {
        Memory copy = new Memory();
        copy.heard.putAll(heard);
        copy.questions.putAll(questions);
        copy.unsigned = unsigned;
        return copy;
    }
}
