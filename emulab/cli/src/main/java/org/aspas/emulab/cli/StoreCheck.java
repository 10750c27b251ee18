package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.aspas.certify.journal.ForeignJournalException;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.file.DirectoryReader;

/**
 * What one store holds.
 *
 * @param whose the node, or {@code client NAME}
 * @param path the journal's directory
 * @param found what it holds; empty when it is not whole
 * @param problem what is wrong, in words; empty when it is whole
 */
record StoreCheck(
        String whose, Path path, State state, boolean inUse, Optional<JournalInspection> found, String problem) {
    /** How often a store that is in use, perhaps since just now, is read before damage is believed: its files change meanwhile. */
    private static final int TRIES = 5;

    enum State {
        WHOLE("whole", "whole"),
        NONE("none", "nothing is kept here yet"),
        DAMAGED("damaged", "DAMAGED"),
        FOREIGN("foreign", "NOT THIS ONE'S"),
        UNREADABLE("unreadable", "CANNOT BE READ");

        private final String word;
        private final String words;

        State(String word, String words) {
            this.word = word;
            this.words = words;
        }

        /** For programs. */
        String word() {
            return word;
        }

        /** For people. */
        String words() {
            return words;
        }

        boolean isWhole() {
            return this == WHOLE || this == NONE;
        }
    }

    /** Reads a store, without a change to it. */
    @FunctionalInterface
    interface Reader {
        JournalInspection inspect() throws IOException;
    }

    static StoreCheck of(String whose, Path journal, Reader reader) throws IOException {
        for (int i = 1; ; i++) {
            boolean inUse = DirectoryReader.inUse(journal);
            try {
                JournalInspection found = reader.inspect();
                State state = found.made() ? State.WHOLE : State.NONE;
                return new StoreCheck(whose, journal, state, inUse, Optional.of(found), "");
            } catch (IOException failed) {
                inUse |= DirectoryReader.inUse(journal);
                if (!inUse || i == TRIES) {
                    return new StoreCheck(
                            whose, journal, state(failed), inUse, Optional.empty(), UserErrors.sentence(failed));
                }
            }
        }
    }

    static StoreCheck unreadable(String whose, Path folder, IOException failed) {
        return new StoreCheck(whose, folder, State.UNREADABLE, false, Optional.empty(), UserErrors.sentence(failed));
    }

    private static State state(IOException failed) {
        if (failed instanceof JournalDamagedException) {
            return State.DAMAGED;
        }
        return failed instanceof ForeignJournalException ? State.FOREIGN : State.UNREADABLE;
    }
}
