# cmake -DFOLDER=folder -DSCRIPTS=a.js,b.js -DOUTPUT=page_files.cpp -P embed.cmake: the files of the page as constants of
# C++, each script as one of its own: compilers need not take longer texts than 65,536 bytes.
function(add_text file)
  file(READ ${FOLDER}/${file} text)
  set(code "${code}R\"KASEN(${text})KASEN\"" PARENT_SCOPE)
endfunction()

set(code "#include \"apps/report/page_files.h\"\n\nnamespace apps {\n\nconst char* const kPageHtml = ")
add_text(page.html)
string(APPEND code ";\nconst char* const kPageStyle = ")
add_text(style.css)
string(APPEND code ";\nconst char* const kPageScripts[] = {\n")
string(REPLACE "," ";" scripts "${SCRIPTS}")
foreach(script IN LISTS scripts)
  add_text(${script})
  string(APPEND code ",\n")
endforeach()
file(WRITE ${OUTPUT} "${code}nullptr};\n\n}  // namespace apps\n")
