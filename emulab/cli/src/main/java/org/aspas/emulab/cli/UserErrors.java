package org.aspas.emulab.cli;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.api.AspasException;
import org.aspas.client.core.Failure;
import org.aspas.client.deployment.TextFile;
import org.aspas.crdt.value.Printable;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Makes one line and an exit code of whatever ends a command, never a stack trace. */
final class UserErrors {
    /** What to say when numbers of a client are taken that it takes for free. */
    private static final String USED_ELSEWHERE =
            "; another program signs with this client's key, or the server is faulty";

    private static final int MOST_SUGGESTIONS = 3;
    private static final Pattern ONE_OF =
            Pattern.compile("expected one of (\\[[A-Z0-9_, ]+]) \\(case-insensitive\\) but");

    private UserErrors() {}

    /** Every command of the line tells its errors this way. */
    static void install(CommandLine line) {
        line.setParameterExceptionHandler(UserErrors::onWrongUsage);
        line.setExecutionExceptionHandler((failure, command, parsed) -> onFailure(failure, command.getErr()));
    }

    private static int onWrongUsage(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName().strip(); // A shell's commands stand below none.
        String what = wrong instanceof UnmatchedArgumentException unmatched
                ? unmatched(unmatched)
                : lowerCase(firstLine(String.valueOf(wrong.getMessage())));
        print(command.getErr(), what + " (see " + (name.isEmpty() ? "help" : name + " --help") + ")");
        return ExitCodes.USAGE;
    }

    /** Writes the values that an option takes in lower case, as users do. */
    private static String lowerCase(String message) {
        return ONE_OF.matcher(message)
                .replaceFirst(found -> "expected " + found.group(1).toLowerCase(Locale.ROOT) + " but");
    }

    /** The first word that fits nowhere, and what the user may have meant by it. */
    private static String unmatched(UnmatchedArgumentException wrong) {
        CommandLine command = wrong.getCommandLine();
        String word = wrong.getUnmatched().get(0);
        boolean option = word.startsWith("-");
        boolean named = !option && !command.getSubcommands().isEmpty();
        List<String> known = new ArrayList<>();
        if (option) {
            command.getCommandSpec().options().forEach(one -> known.addAll(List.of(one.names())));
        } else if (named) {
            known.addAll(command.getSubcommands().keySet());
        }
        List<String> alike = known.stream()
                .filter(one -> distance(word, one) <= Math.max(1, Math.min(word.length(), one.length()) / 3)
                        || (one.startsWith(word) && word.length() > 2))
                .sorted(Comparator.comparingInt(one -> distance(word, one)))
                .limit(MOST_SUGGESTIONS)
                .toList();
        String meant = alike.isEmpty() ? "" : "; did you mean " + String.join(" or ", alike) + "?";
        String what = option ? "no option '" : named ? "no command '" : "one argument too many: '";
        return what + word + "'" + meant;
    }

    /** How many letters must be put in, left out, replaced, or swapped with their neighbour, to make one word of another. */
    private static int distance(String from, String to) {
        int[][] least = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    least[i][j] = i + j;
                    continue;
                }
                int same = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                least[i][j] = Math.min(least[i - 1][j - 1] + same, Math.min(least[i - 1][j], least[i][j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
                }
            }
        }
        return least[from.length()][to.length()];
    }

    private static int onFailure(Exception failure, PrintWriter errors) {
        print(errors, sentence(failure));
        return code(cause(failure));
    }

    /** What a failure is about, without what wraps it. */
    static Throwable cause(Exception failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** A failure in one line. */
    static String sentence(Exception failure) {
        return text(cause(failure));
    }

    /** Prints one line, whatever a user or a server made part of it. */
    static void print(PrintWriter errors, String text) {
        errors.println("aspas: " + Printable.text(text));
        errors.flush();
    }

    private static String text(Throwable cause) {
        if (cause instanceof FileSystemException file) {
            return file.getFile() + " " + reason(file);
        }
        if (cause instanceof InterruptedException) {
            return "interrupted";
        }
        if (cause instanceof AspasException.Refused read && read.reason() == Refusal.Reason.WRONG_TYPE) {
            return firstLine(read.detail());
        }
        String message = cause.getMessage();
        String line = message == null ? cause.getClass().getSimpleName() : firstLine(message);
        return numbersAreTaken(cause) ? line + USED_ELSEWHERE : line;
    }

    private static boolean numbersAreTaken(Throwable cause) {
        if (cause instanceof AspasException.MayTakeEffect update) {
            return update.why() instanceof Failure.Refused why && why.reason() == Refusal.Reason.NUMBER_REUSED;
        }
        return cause instanceof AspasException.Refused read && read.reason() == Refusal.Reason.NUMBER_REUSED;
    }

    private static String reason(FileSystemException file) {
        if (file instanceof NoSuchFileException) {
            return "does not exist";
        } else if (file instanceof AccessDeniedException) {
            return "may not be read or written";
        } else if (file instanceof FileAlreadyExistsException) {
            return "exists already";
        } else if (file instanceof NotDirectoryException) {
            return "is not a directory";
        }
        return file.getReason() == null ? "cannot be used" : "cannot be used: " + file.getReason();
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse(message);
    }

    private static int code(Throwable cause) {
        if (cause instanceof AspasException.Unreachable
                || cause instanceof AspasException.TimedOut
                || cause instanceof TimeoutException) {
            return ExitCodes.UNREACHABLE;
        }
        if (cause instanceof KeptException kept) {
            return kept.code();
        }
        if (cause instanceof NotConfirmed) {
            return ExitCodes.UNCONFIRMED;
        }
        if (damaged(cause)) {
            return ExitCodes.DAMAGED;
        }
        boolean usage = cause instanceof IllegalArgumentException
                || cause instanceof DeploymentDirectory.UnusableDirectory
                || cause instanceof FileSystemException
                || cause instanceof UncheckedIOException record && record.getCause() instanceof FileSystemException
                || cause instanceof AspasException.InvalidCall
                || cause instanceof TextFile.NotTextException;
        return usage ? ExitCodes.USAGE : ExitCodes.FAILED;
    }

    private static boolean damaged(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JournalDamagedException) {
                return true;
            }
        }
        return false;
    }
}
